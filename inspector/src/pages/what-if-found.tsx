import type { JSX } from 'preact'
import { useAddress } from '../address.ts'
import type { ReplayReport } from '../api/answers.ts'
import { ask } from '../api/client.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { count, counted, money, percent, tokens } from '../format.ts'
import { CostAndRecall } from '../parts/cost-and-recall.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { sessionName } from '../session-name.ts'
import { Replayed } from './what-if-requests.tsx'
import { ReplayedSessions } from './what-if-sessions.tsx'

interface FoundProps {
  readonly report: ReplayReport
  readonly onCancelled: () => void
}

/** How far a replay is, and what it has found so far. */
export function Found({ report, onCancelled }: FoundProps): JSX.Element {
  const { query } = useAddress()
  const { totals, sessions, unrecorded, error, provider } = report
  const isWholeBill = totals.every(({ billRatio }) => billRatio !== null)
  return (
    <>
      <Progress report={report} onCancelled={onCancelled} />
      {error !== null && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      {unrecorded > 0 && (
        <p class="quiet">
          {counted(unrecorded, ['request is', 'requests are'])} not recorded with content and left out.
        </p>
      )}
      {totals.length > 0 && (
        <section class="panel">
          <header>
            <h2>All of them</h2>
            <p>
              {counted(sum(sessions.map(({ requests }) => requests)), ['request', 'requests'])} in{' '}
              {counted(sessions.length, ['conversation', 'conversations'])}. {rulesText(provider)} The bill holds input,
              what is read from the cache and written to it, and the recorded answers.
            </p>
          </header>
          <CostAndRecall
            costTitle={isWholeBill ? 'Whole bill, of sending everything' : 'Cost of input, of sending everything'}
            points={totals.flatMap((row) => {
              const cost = isWholeBill ? row.billRatio : row.costRatio
              const kept = [row.needleRecall, row.editTextRecall].filter((share) => share !== null)
              if (cost === null || kept.length === 0) return []
              const parts = `lines ${percent(row.needleRecall)}, edits ${percent(row.editTextRecall)}`
              return [{ name: row.name, cost, recall: Math.min(...kept), parts }]
            })}
          />
          <p class="inside quiet">{measuredText(sessions)}</p>
          <SortedTable caption="Strategies" columns={totalColumns(sessions)} rows={totals} keyOf={({ name }) => name} />
        </section>
      )}
      {sessions.length > 0 && <ReplayedSessions report={report} />}
      {query['session'] !== undefined && <Replayed report={report} session={query['session']} lane={query['lane']} />}
    </>
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

type Measure = 'needleRecall' | 'editTextRecall'

/** Such as `1 of 6 conversations`: in how many a measure has something to measure, the same for every strategy. */
function measuredIn(sessions: readonly SessionRow[], measure: Measure): string {
  const measured = sessions.filter(({ passThrough }) => passThrough[measure] !== null).length
  return `${count(measured)} of ${counted(sessions.length, ['conversation', 'conversations'])}`
}

/** What the shares of the chart are of. */
function measuredText(sessions: readonly SessionRow[]): string {
  return `Lines of tool output were used later in ${measuredIn(sessions, 'needleRecall')}, and edits quoted text that had been shown in ${measuredIn(sessions, 'editTextRecall')}. The shares are of these alone.`
}

/** A share, and of how much, where that is not all. */
function Measured({ sessions, row, measure }: MeasuredProps): JSX.Element {
  const isOfAll = sessions.every(({ passThrough }) => passThrough[measure] !== null)
  return (
    <>
      {percent(row[measure])} {!isOfAll && <small class="quiet">of {measuredIn(sessions, measure)}</small>}
    </>
  )
}

interface MeasuredProps {
  readonly sessions: readonly SessionRow[]
  readonly row: Totals
  readonly measure: Measure
}

function Progress({ report, onCancelled }: FoundProps): JSX.Element {
  const { id, state, progress } = report
  const labels = useSessionLabels()
  const { session } = progress
  const name = session == null ? '' : sessionName(session, labels.get(session))
  const cancel = async (): Promise<void> => {
    await ask(`/v1/replays/${encodeURIComponent(id)}`, { method: 'DELETE' })
    onCancelled()
  }
  return (
    <div class="fields" role="status">
      <label>
        {state === 'running' ? `Replaying ${name}` : state}
        <progress value={progress.done} max={Math.max(1, progress.of)} />
      </label>
      <span class="quiet">
        {count(progress.done)} of {counted(progress.of, ['run', 'runs'])}: each conversation in full, and by each policy
      </span>
      {state === 'running' && (
        <button type="button" onClick={() => void cancel()}>
          Cancel
        </button>
      )}
    </div>
  )
}

const plainRule = 'plain'

function rulesText(provider: string | null): string {
  const isPlain = provider === null || provider === plainRule
  const models = provider?.includes(', ') ? `each conversation’s own model (${provider})` : provider
  const rules = isPlain ? 'the plain rule (what comes again costs a tenth)' : `the prices and cache rules of ${models}`
  return `Billed by ${rules}, against sending everything.`
}

type Totals = ReplayReport['totals'][number]

const totalColumns = (sessions: readonly SessionRow[]): readonly Column<Totals>[] => [
  { name: 'name', title: 'Strategy', cell: ({ name }) => name, by: ({ name }) => name },
  { name: 'tokens', title: 'Tokens sent', isNumber: true, cell: (row) => tokens(row.tokens), by: (row) => row.tokens },
  {
    name: 'cached',
    title: 'Cached',
    isNumber: true,
    cell: (row) => percent(row.cachedShare),
    by: (row) => row.cachedShare ?? 0,
  },
  { name: 'breaks', title: 'Breaks', isNumber: true, cell: (row) => count(row.breaks), by: (row) => row.breaks },
  {
    name: 'cost',
    title: 'Cost of input',
    isNumber: true,
    cell: ({ costRatio, dollars }) => `${percent(costRatio)}${dollars === null ? '' : ` (${money(dollars)})`}`,
    by: ({ costRatio }) => costRatio ?? 0,
  },
  {
    name: 'bill',
    title: 'Bill, answers included',
    isNumber: true,
    cell: ({ billRatio, billDollars }) =>
      `${percent(billRatio)}${billDollars === null ? '' : ` (${money(billDollars)})`}`,
    by: ({ billRatio }) => billRatio ?? 0,
  },
  {
    name: 'settled',
    title: 'With all missed tool output',
    isNumber: true,
    cell: (row) => percent(row.settledCostRatio),
    by: (row) => row.settledCostRatio ?? 0,
  },
  {
    name: 'worst',
    title: 'Worst session',
    isNumber: true,
    cell: (row) => percent(row.worstTraceCostRatio),
    by: (row) => row.worstTraceCostRatio ?? 0,
  },
  {
    name: 'recall',
    title: 'Lines used later, still there',
    isNumber: true,
    cell: (row) => <Measured sessions={sessions} row={row} measure="needleRecall" />,
    by: (row) => row.needleRecall ?? 1,
  },
  {
    name: 'edits',
    title: 'Edits that still find their text',
    isNumber: true,
    cell: (row) => <Measured sessions={sessions} row={row} measure="editTextRecall" />,
    by: (row) => row.editTextRecall ?? 1,
  },
]

type SessionRow = ReplayReport['sessions'][number]
