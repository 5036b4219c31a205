import { passThrough, providerRules, readTrace, replay } from '../inspect/index.ts'
import { memoCounter } from '../tokens/index.ts'
import { prehendStrategies } from './prehend-strategies.ts'
import { textTable } from './text-table.ts'
import type { ReplayReport, StrategyReport } from '../inspect/index.ts'

export interface StartSummary {
  readonly report: ReplayReport
  readonly text: string
}

/** Replays the example session by the rules of a real provider and tells what that saved. */
export async function startSummary(file: string): Promise<StartSummary> {
  const rules = providerRules('anthropic')
  const tokenizer = memoCounter(rules.tokenizer)
  const run = replay({
    strategies: [passThrough(), ...(await prehendStrategies(rules, 'always'))],
    provider: rules.name,
    count: (text) => tokenizer.count(text),
    openCache: rules.openCache,
    clock: () => performance.now(),
  })
  for await (const trace of readTrace(file)) run.add(trace)
  const report = run.report()
  return { report, text: summaryText(report, rules.inputDollars) }
}

function summaryText({ requests, strategies }: ReplayReport, dollarsPerMillion: number | undefined): string {
  const names: Readonly<Record<string, string>> = { 'pass-through': 'everything sent' }
  const rows: readonly (readonly [string, (row: StrategyReport) => string])[] = [
    ['tokens sent', (row) => `${Math.round(row.tokens / 1000)}k`],
    ['read from the cache', (row) => percent(row.cachedShare)],
    ['times the cache was broken', (row) => String(row.breaks)],
    ['money for input', (row) => dollars(row.cost, dollarsPerMillion)],
    ['  against everything sent', (row) => percent(row.costRatio)],
    ['  with all that was missed fetched again', (row) => percent(row.settledCostRatio)],
    ['lines that later steps used, still there', (row) => percent(row.needleLineRecall)],
    ['own time per request, median', (row) => (row.p50Ms === null ? 'n/a' : `${row.p50Ms.toFixed(1)} ms`)],
  ]
  const table = textTable(
    ['', ...strategies.map((row) => names[row.name] ?? row.name)],
    rows.map(([title, cell]) => [title, ...strategies.map(cell)]),
  )
  const indented = table.split('\n').map((line) => `  ${line}`.trimEnd())
  return [
    `A recorded session was replayed: an agent that repairs a small library, ${requests} requests, at the prices and by`,
    'the cache rules of Claude Sonnet 5 (examples/session.jsonl):',
    '',
    ...indented,
    '',
  ].join('\n')
}

function percent(share: number | null): string {
  return share === null ? 'n/a' : `${(share * 100).toFixed(0)}%`
}

function dollars(cost: number, perMillion: number | undefined): string {
  return perMillion === undefined ? 'n/a' : `$${((cost * perMillion) / 1e6).toFixed(3)}`
}
