import { textTable } from './text-table.ts'
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
  { title: 'worst', cell: (row) => fixed(row.worstTraceCostRatio, 3) },
  { title: 'settled', cell: (row) => fixed(row.settledCostRatio, 3) },
  { title: 'worst', cell: (row) => fixed(row.worstTraceSettledRatio, 3) },
  {
    title: 'fetched',
    cell: (row) => (row.rehydrations === null ? 'n/a' : String(row.rehydrations)),
  },
  { title: 'needles', cell: (row) => percent(row.needleRecall) },
  { title: 'lines', cell: (row) => percent(row.needleLineRecall) },
  { title: 'p50 ms', cell: (row) => fixed(row.p50Ms, 2) },
  { title: 'p99 ms', cell: (row) => fixed(row.p99Ms, 2) },
]

export function reportTable(report: ReplayReport): string {
  const titles = columns.map((column) => column.title)
  const rows = report.strategies.map((row) => columns.map((column) => column.cell(row)))
  return [
    `${report.traces} traces, ${report.requests} requests, billed by the ${report.provider} rules`,
    '',
    textTable(titles, rows),
    '',
    'ratio, cost, settled: against sending everything; worst: the dearest single trace; breaks: requests that changed',
    'what the cache held; fetched: rehydrations; needles, lines: what later steps used and was still there; ms: own time.',
    "Prehend's tool definition counts where a trace records the agent's own; --charge-tool always counts it everywhere.",
    '',
  ].join('\n')
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
