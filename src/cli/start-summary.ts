import { countingOf, modelRules, passThrough, percent, readTrace, replay } from '../inspect/index.ts'
import { prehendStrategies } from './prehend-strategies.ts'
import { stackedTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'
import type { ReplayReport, StrategyReport } from '../inspect/index.ts'

export interface StartSummary {
  readonly report: ReplayReport
  readonly text: string
}

/** Replays the example session by the rules of the model that it asked for, and tells what that saved. */
export async function startSummary(file: string, model: string, columns?: number): Promise<StartSummary> {
  const rules = modelRules(model)
  const run = replay({
    strategies: [passThrough(), ...(await prehendStrategies(rules))],
    provider: rules.name,
    inputDollars: rules.inputDollars,
    ...countingOf(rules),
    openCache: rules.openCache,
    prices: rules.prices,
    outputPrice: rules.outputPrice,
    clock: () => performance.now(),
  })
  for await (const trace of readTrace(file)) run.add(trace)
  const report = run.report()
  return { report, text: summaryText(report, columns) }
}

function summaryText({ requests, strategies, provider }: ReplayReport, columns = Number.POSITIVE_INFINITY): string {
  const names: Readonly<Record<string, string>> = { 'pass-through': 'everything sent' }
  const rows: readonly (readonly [string, (row: StrategyReport) => string])[] = [
    ['tokens sent', (row) => `${Math.round(row.tokens / 1000)}k`],
    ['read from the cache', (row) => percent(row.cachedShare)],
    ['times the cache was broken', (row) => String(row.breaks)],
    ['money for input', (row) => dollars(row.dollars)],
    ['  against everything sent', (row) => percent(row.costRatio)],
    // The same measure as "settled all" of `replay`.
    ['  if every line missed is fetched again', (row) => percent(row.settledAllCostRatio)],
    ['money for input and answers', (row) => dollars(row.billDollars)],
    ['  against everything sent', (row) => percent(row.billRatio)],
    ['lines needed later, still in the request', (row) => percent(row.needleLineRecall)],
    ['time Prehend adds per request, median', (row) => (row.p50Ms === null ? 'n/a' : `${row.p50Ms.toFixed(1)} ms`)],
  ]
  const table = stackedTable(
    ['', ...strategies.map((row) => names[row.name] ?? row.name.replace('prehend:', ''))],
    rows.map(([title, cell]) => [title, ...strategies.map(cell)]),
    columns - 2,
  )
  const indented = table.split('\n').map((line) => `  ${line}`.trimEnd())
  return [
    hanging(
      `A recorded session was replayed: an agent that repairs a small library, ${requests} requests, at the prices and by the cache rules of ${provider} (examples/session.jsonl):`,
      Math.min(columns, 100),
    ),
    '',
    ...indented,
    '',
  ].join('\n')
}

function dollars(amount: number | null): string {
  return amount === null ? 'n/a' : `$${amount.toFixed(3)}`
}
