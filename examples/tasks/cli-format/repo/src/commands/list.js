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
  options: { project: { short: 'p', value: 'NAME', about: 'only of this project' } },
  run({ options, io }) {
    const rows = io.entries.filter(({ project }) => options.project === undefined || project === options.project)
    if (rows.length === 0) return void io.out('nothing to show\n')
    io.out(`${table(columns, rows)}\n`)
    io.out(`\n${rows.reduce((sum, { minutes }) => sum + minutes, 0)} minutes\n`)
  },
}
