import { UsageError } from '../parse-options.js'

export const add = {
  about: 'note time that was spent',
  usage: 'add TASK MINUTES',
  options: { project: { short: 'p', value: 'NAME', about: 'what it was spent on' } },
  run({ options, words: [task, minutes], io }) {
    if (task === undefined || !/^\d+$/.test(minutes ?? '')) throw new UsageError('usage: add TASK MINUTES')
    const id = io.entries.length + 1
    io.entries.push({ id, task, project: options.project ?? 'none', minutes: Number(minutes) })
    io.out(`noted ${id}\n`)
  },
}
