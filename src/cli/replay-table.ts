import { counted } from './counted.ts'
import { dollarText } from './dollar-text.ts'
import { stackedTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'
import { unansweredText } from './replay-feed.ts'
import type { Fed } from './replay-feed.ts'
import { percent, sizeBands } from '../inspect/index.ts'
import type { ReplayReport, StrategyReport } from '../inspect/index.ts'

interface Column {
  readonly title: string
  cell(row: StrategyReport): string
}

/** All that is known of what strategies cost and keep. */
const wideColumns: readonly Column[] = [
  { title: 'strategy', cell: (row) => row.name },
  { title: 'tokens', cell: (row) => millions(row.tokens) },
  { title: 'ratio', cell: (row) => fixed(row.tokenRatio, 3) },
  { title: 'cached', cell: (row) => percent(row.cachedShare) },
  { title: 'breaks', cell: (row) => String(row.breaks) },
  { title: 'cost', cell: (row) => fixed(row.costRatio, 3) },
  { title: 'median', cell: (row) => fixed(row.medianTraceBillRatio, 3) },
  { title: 'cheaper', cell: (row) => percent(row.cheaperTraces) },
  { title: 'cost max', cell: (row) => fixed(row.worstTraceCostRatio, 3) },
  { title: 'settled', cell: (row) => fixed(row.settledCostRatio, 3) },
  { title: 'settled max', cell: (row) => fixed(row.worstTraceSettledRatio, 3) },
  { title: 'settled all', cell: (row) => fixed(row.settledAllCostRatio, 3) },
  { title: 'all max', cell: (row) => fixed(row.worstTraceSettledAllRatio, 3) },
  { title: 'lines', cell: (row) => percent(row.needleLineRecall) },
  { title: 'own', cell: (row) => percent(row.ownCallLineRecall) },
  { title: 'edits', cell: (row) => percent(row.editTextRecall) },
  { title: 'p50 ms', cell: (row) => fixed(row.p50Ms, 2) },
  { title: 'p99 ms', cell: (row) => fixed(row.p99Ms, 2) },
]

/** The columns that are shown unless all are asked for. */
const usualTitles: ReadonlySet<string> = new Set(['strategy', 'tokens', 'cost', 'settled all', 'lines', 'edits'])

/** As the report classes them. */
const ages = ['1-3', '4-10', '11-20', '21-40', '41+'] as const

/** What a reader of the requests would want to know. */
const readingColumns: readonly Column[] = [
  { title: 'strategy', cell: (row) => row.name },
  { title: 'needles', cell: (row) => percent(row.needleRecall) },
  ...ages.flatMap((steps, index): readonly Column[] => [
    { title: `lines ${steps}`, cell: ({ recallByAge }) => percent(recallByAge[index]?.recall ?? null) },
  ]),
  ...ages.flatMap((steps, index): readonly Column[] => [
    { title: `own ${steps}`, cell: ({ recallByAge }) => percent(recallByAge[index]?.ownRecall ?? null) },
  ]),
  { title: 'shortened', cell: (row) => percent(row.recallWhereShortened) },
  { title: 'one piece', cell: (row) => percent(row.editInOnePieceRecall) },
  { title: 'one place', cell: (row) => percent(row.editOnePlaceRecall) },
  { title: 'new files', cell: (row) => percent(row.newFileTextRecall) },
  { title: 'said', cell: (row) => percent(row.assistantTextRecall) },
  { title: 'ambiguous', cell: (row) => String(row.referencesAmbiguous) },
  { title: 'unread', cell: (row) => String(row.unreadLinesReplaced) },
  { title: 'failures', cell: (row) => String(row.failuresHidden) },
  { title: 'fetched', cell: (row) => (row.rehydrations === null ? 'n/a' : String(row.rehydrations)) },
  { title: 'fetched all', cell: (row) => String(row.rehydrationsAll) },
  { title: 'repeated', cell: (row) => percent(row.repeatedShare) },
  { title: 'reread', cell: (row) => percent(row.rereadShare) },
  { title: 'compactions', cell: (row) => String(row.compactions) },
  { title: 'mean', cell: (row) => fixed(row.meanRequestTokens, 0) },
  { title: 'largest', cell: (row) => fixed(row.largestRequestTokens, 0) },
  { title: 'step tokens', cell: ({ perStep }) => percent(perStep.meanTokens) },
  { title: 'step cost', cell: ({ perStep }) => percent(perStep.meanCost) },
]

/** What the cache is worth by itself, whatever is sent. */
const cachingColumns: readonly Column[] = [
  { title: 'strategy', cell: (row) => row.name },
  { title: 'uncached', cell: (row) => millions(row.uncachedCost) },
  { title: 'cost', cell: (row) => millions(row.cost) },
  { title: 'caching saves', cell: (row) => percent(row.cachingSaves) },
  { title: 'least', cell: (row) => percent(row.leastTraceCachingSaves) },
]

/** All that sessions cost, and where savings are from. */
const wholeBillColumns: readonly Column[] = [
  { title: 'strategy', cell: (row) => row.name },
  { title: 'whole bill', cell: ({ wholeBill }) => fixed(wholeBill.ratio, 3) },
  { title: 'mean', cell: ({ wholeBill }) => fixed(wholeBill.mean, 3) },
  { title: 'median', cell: ({ wholeBill }) => fixed(wholeBill.median, 3) },
  { title: 'cheaper', cell: ({ wholeBill }) => percent(wholeBill.cheaper) },
  { title: 'max', cell: ({ wholeBill }) => fixed(wholeBill.worst, 3) },
  { title: 'answers', cell: ({ wholeBill }) => fixed(wholeBill.parts.answers, 3) },
  { title: 'own calls', cell: ({ wholeBill }) => fixed(wholeBill.parts.ownCalls, 3) },
  { title: 'hidden', cell: ({ wholeBill }) => fixed(wholeBill.parts.hiddenRounds, 3) },
  { title: 'injected', cell: ({ wholeBill }) => percent(wholeBill.injectedTokenShare) },
  ...sizeBands.map((size, index): Column => ({
    title: size,
    cell: ({ wholeBill }) => fixed(wholeBill.bySize[index]?.ratio ?? null, 3),
  })),
  { title: 'birth', cell: ({ savings }) => fixed(savings.birth, 3) },
  { title: 'cold', cell: ({ savings }) => fixed(savings.cold, 3) },
  { title: 'warm', cell: ({ savings }) => fixed(savings.warm, 3) },
  { title: 'added', cell: ({ savings }) => fixed(savings.added, 3) },
]

const bill: Column = { title: 'bill', cell: (row) => fixed(row.billRatio, 3) }

const notPacked: Column = { title: 'unpacked', cell: (row) => String(unpackedOf(row)) }

/** A request that no answer comes to is no saving. */
const lost: Column = { title: 'refused', cell: (row) => String(row.refused) }

function unpackedOf({ unpacked }: StrategyReport): number {
  return Object.values(unpacked).reduce((sum, count) => sum + count, 0)
}

const money: Column = { title: 'money', cell: ({ dollars }) => (dollars === null ? 'n/a' : dollarText(dollars)) }

export interface ReportTableOptions {
  /** What a line may hold; any number of characters by default. */
  readonly width?: number | undefined
  /** Whether the table has all columns. */
  readonly wide?: boolean
  /** Whether a second table says what a reader of the requests would want to know. */
  readonly reading?: boolean
  /** Whether another says what the cache saves by itself. */
  readonly caching?: boolean
  /** Whether another says what the whole bill is, and where savings are from. */
  readonly bill?: boolean
}

export function reportTable(
  report: ReplayReport & Pick<Fed, 'skipped' | 'unanswered'>,
  { width, wide = false, reading = false, caching = false, bill: whole = false }: ReportTableOptions = {},
): string {
  const { traces, requests, provider, strategies, skipped, unanswered } = report
  const shown = columnsOf(strategies, wide)
  const lines =
    skipped === 0
      ? ''
      : `; ${counted(skipped, 'line')} could not be read and ${skipped === 1 ? 'was' : 'were'} left out`
  const left = unanswered === 0 ? '' : `; ${unansweredText(unanswered, traces)}`
  return [
    hanging(
      `${counted(traces, 'trace')}, ${counted(requests, 'request')}, billed by the rules of ${provider}${lines}${left}`,
      width,
    ),
    '',
    tableOf(shown, strategies, width),
    '',
    ...(reading ? [tableOf(readingColumns, strategies, width), ''] : []),
    ...(caching ? [tableOf(cachingColumns, strategies, width), ''] : []),
    ...(whole ? [tableOf(wholeBillColumns, strategies, width), ''] : []),
    ...[
      ...(wide ? legend : usualLegend(shown)),
      ...withoutLines(strategies),
      ...(reading ? readingLegend : []),
      ...(caching ? cachingLegend : []),
      ...(whole ? wholeBillLegend : []),
    ].map((line) => hanging(line, width)),
    '',
  ].join('\n')
}

/** Money and the whole bill where the price is known, and what was not packed where anything was not. */
function columnsOf(strategies: readonly StrategyReport[], wide: boolean): readonly Column[] {
  const priced = strategies.some(({ dollars }) => dollars !== null)
  const areSome = (count: (row: StrategyReport) => number): boolean => strategies.some((row) => count(row) > 0)
  const chosen = wide ? wideColumns : wideColumns.filter(({ title }) => usualTitles.has(title))
  // Few columns have either: tokens, or what they cost.
  const all = priced && !wide ? chosen.filter(({ title }) => title !== 'tokens') : chosen
  const shown = all.flatMap((column) => (column.title === 'cost' && priced ? [money, column, bill] : [column]))
  return [...shown, ...(areSome(({ refused }) => refused) ? [lost] : []), ...(areSome(unpackedOf) ? [notPacked] : [])]
}

function tableOf(table: readonly Column[], strategies: readonly StrategyReport[], width: number | undefined): string {
  const titles = table.map(({ title }) => title)
  const rows = strategies.map((row) => table.map((column) => column.cell(row)))
  return stackedTable(titles, rows, width)
}

/** Only what stands in the table. */
function usualLegend(shown: readonly Column[]): readonly string[] {
  const titles = new Set(shown.map(({ title }) => title))
  const lines = usualNotes.filter(([title]) => title === '' || titles.has(title))
  return lines.map(([title, note]) => (title === '' ? note : `${title}: ${note}`))
}

/** Why nothing is known of lines. */
function withoutLines(strategies: readonly StrategyReport[]): readonly string[] {
  if (strategies.length === 0 || strategies.some(({ needleLineRecall }) => needleLineRecall !== null)) return []
  const areSearched = strategies.some(({ rehydrations }) => rehydrations !== null)
  if (areSearched) return ['lines is n/a: no line of a tool result was used later.']
  return ['lines is n/a: no needles were looked for. --find-needles finds them in the messages.']
}

const usualNotes: readonly (readonly [title: string, note: string])[] = [
  ['tokens', 'tokens sent, of all requests.'],
  ['money', 'what the input costs, in dollars.'],
  ['cost', 'what the input costs, where sending everything costs 1.'],
  ['bill', 'the same with the recorded answers, at the output price.'],
  ['settled all', 'cost, if every line that was needed and left out is fetched back and paid for.'],
  ['lines', 'of the strings that a step took from tool output, the share whose whole line was still in the request.'],
  ['edits', 'the share of edits whose quoted lines were all still there.'],
  [
    'refused',
    'requests larger than the window, or that the policy does not send. They are billed, and count as recalling nothing.',
  ],
  ['unpacked', 'requests that the policy refused or could not fit into the window. They were sent unchanged.'],
  ['', '--wide shows all columns: cache, breaks, medians, worst sessions, times.'],
]

const legend = [
  'ratio: tokens sent. cost, settled: what the input costs. In all three, sending everything is 1. max: the highest of a single trace. breaks: requests that changed an already cached prefix.',
  'bill: cost with the recorded answers included, at the output price. Shown if the billing rules are those of a model.',
  'median: the bill of the median session (its cost if there is no bill column). cheaper: the share of sessions that pay less than for sending everything.',
  'settled: cost, if every needed line of tool output that was left out is fetched back and paid for. settled all: lines of own calls and edits, too.',
  "lines: of the strings that a step took from tool output, the share whose whole line was still in the request. own: the same for strings from the agent's own calls. edits: the share whose quoted lines were all still there. p50, p99 ms: time that the strategy takes.",
  'refused: requests larger than the window, or that the policy does not send: they get no answer. They are billed as if they did, and count as recalling nothing.',
  'unpacked: requests that the policy refused or could not fit into the window. They were sent unchanged.',
  "Prehend's tool definition counts in every request; see --charge-tool.",
]

const readingLegend = [
  'lines, own 11-20: of strings last shown that many steps ago; needles: the strings themselves; shortened: lines whose newest place was shown shortened.',
  'ambiguous: references that lead to several places or to other lines; unread: lines replaced by such in results that no reply had read; failures: results of which no statement of failure stood any more; fetched: rehydrations that settled pays for.',
  'one piece: edits whose whole old text still stood in one piece; one place: edits by those lines alone that one place had held; new files: the same of files that a here-document writes first; said: strings that only text of the assistant had held.',
  'repeated: of what tools brought, the share in lines that they had brought before; reread: of these, lines that were not shown when they were asked for again; compactions: summaries written; mean, largest: tokens of requests.',
  'step tokens, step cost: what a request that holds more than two results of tools saves against sending everything, the mean of such requests.',
]

const cachingLegend = [
  'uncached, cost: in plain input tokens, without any cache and with that of the rules; caching saves: the share of the input cost that it saves; least: of the single trace in which it saves least.',
]

const wholeBillLegend = [
  'whole bill: input, recorded answers at the price of output, own calls, and hidden rounds that fetch what is missing, against sending everything; max: of sessions of ten requests and more; answers, own calls, hidden: shares of the bill of sending everything; injected: the share of tokens that the strategy adds.',
  'under 20,000 and so on: the whole bill of sessions by the tokens of their largest request; birth, cold, warm: what is saved by forms that were taken as something arrived, when the cache was cold, and when it had to be written anew, which is paid for; added: what is sent besides.',
]

function fixed(value: number | null, digits: number): string {
  return value === null ? 'n/a' : value.toFixed(digits)
}

function millions(tokens: number): string {
  if (tokens >= 1e7) return `${(tokens / 1e6).toFixed(1)}M`
  return tokens >= 1e4 ? `${(tokens / 1e3).toFixed(0)}k` : tokens.toFixed(0)
}
