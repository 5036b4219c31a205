import type { JSX } from 'preact'
import { useAddress } from '../address.ts'
import type { ReplayReport } from '../api/answers.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { count, percent } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { sessionName, sessionNote } from '../session-name.ts'

type SessionRow = ReplayReport['sessions'][number]

/** What each session of a replay came to, by each policy. */
export function ReplayedSessions({ report }: { readonly report: ReplayReport }): JSX.Element {
  const { withQuery } = useAddress()
  const labels = useSessionLabels()
  const columns: readonly Column<SessionRow>[] = [
    {
      name: 'session',
      title: 'Session',
      cell: ({ session, lane }) => (
        <a class="session-words" href={withQuery({ session, lane })} title={session}>
          {sessionName(session, labels.get(session))}{' '}
          <small class="quiet">{sessionNote(session, labels.get(session))}</small>
        </a>
      ),
      by: ({ session }) => sessionName(session, labels.get(session)),
    },
    {
      name: 'requests',
      title: 'Requests',
      isNumber: true,
      cell: (row) => count(row.requests),
      by: (row) => row.requests,
    },
    ...report.policies.flatMap((policy, at) => policyColumns(policy, at)),
  ]
  return (
    <section class="panel">
      <header>
        <h2>Session by session</h2>
        <p>Cost against sending everything.</p>
      </header>
      <SortedTable
        caption="Sessions of the replay"
        orderName="by"
        columns={columns}
        rows={report.sessions}
        keyOf={({ session, lane }) => `${session} ${lane}`}
      />
    </section>
  )
}

function policyColumns(policy: string, at: number): readonly Column<SessionRow>[] {
  return [
    {
      name: `cost-${at}`,
      title: `${policy}, cost`,
      isNumber: true,
      cell: (row) => <span class={ratio(row, at) > 1 ? 'bad' : undefined}>{percent(ratio(row, at))}</span>,
      by: (row) => ratio(row, at),
    },
    {
      name: `recall-${at}`,
      title: `${policy}, lines`,
      isNumber: true,
      cell: ({ policies }) => percent(policies[at]?.needleRecall),
      by: ({ policies }) => policies[at]?.needleRecall ?? 1,
    },
    {
      name: `edits-${at}`,
      title: `${policy}, edits`,
      isNumber: true,
      cell: ({ policies }) => percent(policies[at]?.editTextRecall),
      by: ({ policies }) => policies[at]?.editTextRecall ?? 1,
    },
  ]
}

function ratio({ passThrough, policies }: SessionRow, at: number): number {
  return passThrough.cost > 0 ? (policies[at]?.cost ?? 0) / passThrough.cost : 1
}
