import { table } from '../table.js'

const columns = [
  { name: 'project', title: 'project' },
  { name: 'entries', title: 'entries' },
  { name: 'minutes', title: 'min' },
]

export const totals = {
  about: 'minutes of each project',
  usage: 'totals',
  options: { least: { short: 'l', value: 'MINUTES', about: 'only projects with so many' } },
  run({ options, io }) {
    const groups = new Map()
    for (const { project, minutes } of io.entries) {
      const { entries, minutes: before } = groups.get(project) ?? { entries: 0, minutes: 0 }
      groups.set(project, { project, entries: entries + 1, minutes: before + minutes })
    }
    const rows = [...groups.values()].filter(({ minutes }) => minutes >= Number(options.least ?? 0))
    if (rows.length === 0) return void io.out('nothing to show\n')
    io.out(`Minutes by project\n\n${table(columns, rows)}\n`)
  },
}
