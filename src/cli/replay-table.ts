import { dollarText } from './dollar-text.ts'
import { stackedTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'
import type { ReplayReport, StrategyReport } from '../inspect/index.ts'

interface Column {
  readonly title: string
  cell(row: StrategyReport): string
}

const columns: readonly Column[] = [
  { title: 'strategy', cell: (row) => row.name },
  { title: 'tokens', cell: (row) => millions(row.tokens) },
  { title: 'ratio', cell: (row) => fixed(row.tokenRatio, 3) },
  { title: 'cached', cell: (row) => percent(row.cachedShare) },
  { title: 'breaks', cell: (row) => String(row.breaks) },
  { title: 'cost', cell: (row) => fixed(row.costRatio, 3) },
  { title: 'cost max', cell: (row) => fixed(row.worstTraceCostRatio, 3) },
  { title: 'settled', cell: (row) => fixed(row.settledCostRatio, 3) },
  { title: 'settled max', cell: (row) => fixed(row.worstTraceSettledRatio, 3) },
  {
    title: 'fetched',
    cell: (row) => (row.rehydrations === null ? 'n/a' : String(row.rehydrations)),
  },
  { title: 'needles', cell: (row) => percent(row.needleRecall) },
  { title: 'lines', cell: (row) => percent(row.needleLineRecall) },
  { title: 'p50 ms', cell: (row) => fixed(row.p50Ms, 2) },
  { title: 'p99 ms', cell: (row) => fixed(row.p99Ms, 2) },
]

const money: Column = { title: 'money', cell: ({ dollars }) => (dollars === null ? 'n/a' : dollarText(dollars)) }

/** `width` is what a line may hold; any number of characters unless told. */
export function reportTable(report: ReplayReport & { readonly skipped: number }, width?: number): string {
  const { traces, requests, provider, strategies, skipped } = report
  const shown = columns.flatMap((column) =>
    column.title === 'cost' && strategies.some(({ dollars }) => dollars !== null) ? [money, column] : [column],
  )
  const titles = shown.map((column) => column.title)
  const rows = strategies.map((row) => shown.map((column) => column.cell(row)))
  const lines =
    skipped === 0
      ? ''
      : `; ${counted(skipped, 'line')} could not be read and ${skipped === 1 ? 'was' : 'were'} left out`
  return [
    hanging(
      `${counted(traces, 'trace')}, ${counted(requests, 'request')}, billed by the ${provider} rules${lines}`,
      width,
    ),
    '',
    stackedTable(titles, rows, width),
    '',
    ...legend.map((line) => hanging(line, width)),
    '',
  ].join('\n')
}

const legend = [
  'ratio, cost, settled: against sending everything; max: of the dearest single trace.',
  'breaks: requests that changed what the cache held; fetched: rehydrations; settled: with these paid for.',
  'needles, lines: what later steps used and was still there; ms: own time.',
  "Prehend's tool definition counts where a trace records the agent's own; --charge-tool always counts it everywhere.",
]

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function fixed(value: number | null, digits: number): string {
  return value === null ? 'n/a' : value.toFixed(digits)
}

function percent(value: number | null): string {
  return value === null ? 'n/a' : `${(value * 100).toFixed(1)}%`
}

function millions(tokens: number): string {
  if (tokens >= 1e7) return `${(tokens / 1e6).toFixed(1)}M`
  return tokens >= 1e4 ? `${(tokens / 1e3).toFixed(0)}k` : tokens.toFixed(0)
}
