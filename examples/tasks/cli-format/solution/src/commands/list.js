import { formatOptions, shownRows } from '../shown-rows.js'
import { table } from '../table.js'

const columns = [
  { name: 'id', title: 'id' },
  { name: 'task', title: 'task' },
  { name: 'project', title: 'project' },
  { name: 'minutes', title: 'min' },
]

export const list = {
  about: 'show what was noted',
  usage: 'list',
  options: { project: { short: 'p', value: 'NAME', about: 'only of this project' }, ...formatOptions },
  run({ options, io }) {
    const chosen = io.entries.filter(({ project }) => options.project === undefined || project === options.project)
    const { rows, text } = shownRows(options, columns, chosen)
    if (text !== undefined) return void io.out(text)
    if (rows.length === 0) return void io.out('nothing to show\n')
    io.out(`${table(columns, rows)}\n`)
    io.out(`\n${rows.reduce((sum, { minutes }) => sum + minutes, 0)} minutes\n`)
  },
}
