import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { frontierArguments } from './chart-strategies.ts'
import { frontierChart } from './frontier-plot.ts'
import { comparedRivals, frontierRuns, frontierTables, tablesIn, windowsTable, withTable } from './page-tables.ts'
import type { WindowRun } from './page-tables.ts'
import { printedBy } from './printed-by.ts'

/*
 * Makes the tables of `docs/benchmarks/` between their marks `<!-- table: NAME -->`, and the chart, of recorded sessions.
 *
 *   npm run -s bench -- tables
 */

const help = `Usage: npm run -s bench -- tables [OPTIONS]

Runs the benchmarks of recorded sessions, and writes their tables into the pages of docs and the chart beside them.

  --only NAME     one of frontier, windows, retention, ablation, made-sessions, oracle; repeatable; all but oracle by default
  --keep FILE     appends what frontier reports to this file, as JSON lines
  --from FILE     reports that --keep has written, instead of sending these sessions again
  --limit N       only the first N sessions of each file, to try it; the pages stay as they are
  --list          prints the commands, and runs nothing
  --docs FOLDER   docs by default: each table goes into the page below it that has its marks
  --chart FILE    docs/frontier.svg by default
  --data FOLDER   ../shared/data by default
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    keep: { type: 'string' },
    from: { type: 'string' },
    limit: { type: 'string' },
    list: { type: 'boolean', default: false },
    docs: { type: 'string', default: 'docs' },
    chart: { type: 'string', default: 'docs/frontier.svg' },
    data: { type: 'string', default: '../shared/data' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const { data, limit } = values
const gated = ['careful', 'balanced', 'thrifty']
const limited = limit === undefined ? [] : ['--limit', limit]

/** The long sessions last: what was sent before them is kept if they take too long. */
const frontierCommands: readonly (readonly string[])[] = [
  frontierArguments({ sets: ['swe'], rules: ['plain'], limit, data }),
  frontierArguments({
    sets: ['held-out', 'mcp', 'airline'],
    rules: ['plain'],
    policies: gated,
    rivals: comparedRivals,
    limit,
    data,
  }),
  frontierArguments({
    sets: ['swe', 'held-out', 'mcp', 'airline', 'long'],
    rules: ['anthropic', 'openai', 'deepseek'],
    policies: gated,
    rivals: [],
    limit,
    data,
  }),
  frontierArguments({ sets: ['long'], rules: ['plain'], limit, data }),
].map((options) => ['bench/frontier.ts', ...options])

/** Windows that are too small for the sessions of a set. */
const windows = [
  { set: 'swe', windowTokens: 16_000, limit: limit ?? '12' },
  { set: 'long', windowTokens: 64_000, limit },
  { set: 'long', windowTokens: 32_000, limit },
].map(({ set, windowTokens, limit: most }) => {
  const rivals = [`sliding-window-${windowTokens}`]
  const call = { sets: [set], rules: ['plain'], policies: gated, rivals, windowTokens, limit: most, data }
  return { windowTokens, command: ['bench/frontier.ts', ...frontierArguments(call)] }
})

async function windowRuns(): Promise<readonly WindowRun[]> {
  const all: WindowRun[] = []
  for (const { windowTokens, command } of windows)
    for (const run of frontierRuns(await printedBy(command))) all.push({ windowTokens, run })
  return all
}

/** Benchmarks whose own tables go into the page as they are printed. */
const printed: Readonly<Record<string, readonly string[]>> = {
  'retention': ['bench/retention.ts', '--data', data, '--policy', 'careful', '--policy', 'balanced', ...limited],
  'ablation': ['bench/ablation.ts', '--data', data, ...limited],
  'made-sessions': ['bench/made-sessions.ts', 'held-out'],
  'oracle': ['bench/oracle.ts', data],
}

const names = ['frontier', 'windows', ...Object.keys(printed)]
/** Takes as long as all others together, and changes with `careful` only. */
const onlyNamed = 'oracle'

async function frontier(): Promise<string> {
  if (values.from !== undefined) return readFileSync(values.from, 'utf8')
  let all = ''
  for (const command of frontierCommands) {
    const written = await printedBy(command)
    all += written
    if (values.keep !== undefined) writeFileSync(values.keep, written, { flag: 'a' })
  }
  return all
}

function commandsOf(name: string): readonly (readonly string[])[] {
  if (name === 'frontier') return frontierCommands
  return name === 'windows' ? windows.map(({ command }) => command) : [printed[name] ?? []]
}

async function tablesOf(name: string): Promise<ReadonlyMap<string, string>> {
  const command = printed[name]
  if (command !== undefined) return new Map([[name, tablesIn(await printedBy(command))]])
  if (name === 'windows') return new Map([[name, windowsTable(await windowRuns())]])
  const runs = frontierRuns(await frontier())
  if (limit === undefined) writeFileSync(values.chart, frontierChart(runs))
  return frontierTables(runs)
}

/** The page below docs that has the marks of a table. */
function pageOf(table: string): string {
  const pages = readdirSync(values.docs, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  const page = pages.find((file) => readFileSync(join(values.docs, file), 'utf8').includes(`<!-- table: ${table} -->`))
  if (page === undefined)
    throw new Error(`No page of ${values.docs} has the marks <!-- table: ${table} --> and <!-- /table -->. Add them.`)
  return join(values.docs, page)
}

async function main(): Promise<void> {
  const chosen = values.only ?? names.filter((name) => name !== onlyNamed)
  const unknown = chosen.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`--only: ${unknown} is not known. Use some of ${names.join(', ')}.`)
  if (values.list) {
    const commands = chosen.flatMap(commandsOf)
    stdout.write(`${commands.map((command) => `node ${command.join(' ')}`).join('\n')}\n`)
    return
  }
  for (const name of chosen) {
    const began = performance.now()
    for (const [table, text] of await tablesOf(name)) {
      stdout.write(`## ${table}\n\n${text}\n\n`)
      if (limit !== undefined) continue
      const page = pageOf(table)
      writeFileSync(page, withTable(readFileSync(page, 'utf8'), table, text))
    }
    stderr.write(`${name}: ${((performance.now() - began) / 60_000).toFixed(1)} minutes\n`)
  }
}

if (values.help) stdout.write(help)
else await main()
