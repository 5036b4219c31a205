import { readFileSync, writeFileSync } from 'node:fs'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { frontierArguments } from './chart-strategies.ts'
import { frontierChart } from './frontier-plot.ts'
import { frontierRuns } from './page-tables.ts'
import { printedBy } from './printed-by.ts'

/*
 * Cost against recall of the policies for agents and of all strategies that `prehend replay` knows, as `docs/frontier.svg`: coding runs and long sessions.
 *
 *   npm run -s bench -- frontier-chart
 */

const help = `Usage: npm run -s bench -- frontier-chart [OPTIONS]

  --from FILE     draws reports that bench -- frontier --json has written, instead of sending sessions
  --rules NAME    plain by default
  --limit N       only the first N sessions of each set
  --data FOLDER   ../shared/data by default
  --out FILE      docs/frontier.svg by default
`

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    rules: { type: 'string', default: 'plain' },
    limit: { type: 'string' },
    data: { type: 'string', default: '../shared/data' },
    out: { type: 'string', default: 'docs/frontier.svg' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

async function reports(): Promise<string> {
  if (values.from !== undefined) return readFileSync(values.from, 'utf8')
  const { rules, limit, data } = values
  return printedBy(['bench/frontier.ts', ...frontierArguments({ sets: ['swe', 'long'], rules: [rules], limit, data })])
}

async function main(): Promise<void> {
  writeFileSync(values.out, frontierChart(frontierRuns(await reports())))
  stdout.write(`${values.out}\n`)
}

if (values.help) stdout.write(help)
else await main()
