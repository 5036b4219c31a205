import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { addressOf } from '../address.ts'
import type { ReplayReport, ReplayedRequest } from '../api/answers.ts'
import { useAllPages } from '../api/use-all-pages.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { count, tokens } from '../format.ts'
import { Chart } from '../parts/chart.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered } from '../parts/states.tsx'
import { sessionName } from '../session-name.ts'

interface ReplayedProps {
  readonly report: ReplayReport
  readonly session: string
  readonly lane: string | undefined
}

const most = 5000

/** One session of a replay: each request in full and by each policy, side by side. */
export function Replayed({ report, session, lane }: ReplayedProps): JSX.Element {
  const labels = useSessionLabels()
  const path = `/v1/replays/${encodeURIComponent(report.id)}/requests`
  const answer = useAllPages<ReplayedRequest>(path, { session, lane }, { limit: 1000, most })
  return (
    <section class="panel">
      <header>
        <h2 title={session}>{sessionName(session, labels.get(session))}</h2>
        <p>Request by request; cost in plain input tokens. A figure leads to the request, side by side.</p>
      </header>
      <Answered answer={answer}>
        {(rows) => <Requests rows={rows} policies={report.policies} replay={report.id} />}
      </Answered>
    </section>
  )
}

interface RequestsProps {
  readonly rows: readonly ReplayedRequest[]
  readonly policies: readonly string[]
  readonly replay: string
}

const tones = ['--accent', '--section-query', '--section-tools', '--section-task']

function Requests({ rows, policies, replay }: RequestsProps): JSX.Element {
  const at = useMemo(() => rows.map((_, index) => index + 1), [rows])
  const series = useMemo(
    () => [
      {
        name: 'everything',
        tone: '--quiet',
        values: runningSum(rows.map(({ passThrough }) => passThrough.cost)),
        isDashed: true,
      },
      ...policies.map((name, which) => ({
        name,
        tone: tones[which] ?? '--accent',
        values: runningSum(rows.map((row) => row.policies[which]?.cost ?? 0)),
      })),
    ],
    [rows, policies],
  )
  const columns: readonly Column<ReplayedRequest & { readonly index: number }>[] = [
    {
      name: 'request',
      title: 'Request',
      cell: ({ index, requestId }) =>
        requestId.startsWith('req_') ? <a href={addressOf.request(requestId)}>{count(index + 1)}</a> : count(index + 1),
      by: ({ index }) => index,
    },
    {
      name: 'all',
      title: 'Everything',
      isNumber: true,
      cell: ({ passThrough }) => billed(passThrough),
      by: ({ passThrough }) => passThrough.cost,
    },
    ...policies.map((name, which): Column<ReplayedRequest & { readonly index: number }> => ({
      name: `p${which}`,
      title: name,
      isNumber: true,
      cell: (row) => <Side row={row} policy={`${replay}:${'ABCD'.charAt(which)}`} bill={row.policies[which]} />,
      by: (row) => row.policies[which]?.cost ?? 0,
    })),
  ]
  const indexed = rows.map((row, index) => ({ ...row, index }))
  return (
    <>
      <div class="inside">
        <Chart label={`Cost added up over ${rows.length} requests`} at={at} series={series} write={tokens} />
      </div>
      <SortedTable
        caption="Requests of the session"
        orderName="rows"
        columns={columns}
        rows={indexed}
        keyOf={({ index }) => String(index)}
      />
    </>
  )
}

interface SideProps {
  readonly row: ReplayedRequest
  /** As the request's page names it. */
  readonly policy: string
  readonly bill: ReplayedRequest['passThrough'] | undefined
}

/** What a policy came to, which leads to what it would have sent. */
function Side({ row: { requestId }, policy, bill }: SideProps): JSX.Element {
  if (!requestId.startsWith('req_')) return <>{billed(bill)}</>
  return (
    <a href={addressOf.compared(requestId, policy)} title="This request side by side">
      {billed(bill)}
    </a>
  )
}

function billed(bill: ReplayedRequest['passThrough'] | undefined): string {
  if (!bill) return 'n/a'
  return `${count(Math.round(bill.cost))} for ${tokens(bill.tokens)}, ${tokens(bill.cachedTokens)} cached`
}

function runningSum(values: readonly number[]): readonly number[] {
  let total = 0
  return values.map((value) => (total += value))
}
