import type { JSX } from 'preact'
import { addressOf } from '../address.ts'
import type { PackHead, SessionLabel } from '../api/answers.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { sessionName } from '../session-name.ts'
import { useAllPages } from '../api/use-all-pages.ts'
import { count, dateAndTime, milliseconds, tokens } from '../format.ts'
import { SessionLink } from '../parts/session-link.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { endWords } from '../words.ts'

const most = 500
/** Characters of what a provider said; all of it stands with the request. */
const mostSaid = 120

/** Requests that a provider refused, or that nobody answered, the newest first. */
export function Failures(): JSX.Element {
  const labels = useSessionLabels()
  const answer = useAllPages<PackHead>('/v1/packs', { failed: 'true' }, { limit: 100, most })
  return (
    <div class="page">
      <header>
        <Title text="Failures" />
        <p class="quiet">Requests that were refused or broke off, the newest first; {count(most)} at most.</p>
      </header>
      <Answered answer={answer}>
        {(rows) => (
          <section class="panel">
            {rows.length === 0 ? (
              <Empty title="No request has failed">
                <p>Of those whose receipts are kept.</p>
              </Empty>
            ) : (
              <SortedTable
                caption="Failures"
                columns={columnsOf(labels)}
                rows={rows}
                keyOf={({ requestId }) => requestId}
              />
            )}
          </section>
        )}
      </Answered>
    </div>
  )
}

function beginning(text: string): string {
  return text.length <= mostSaid ? text : `${text.slice(0, mostSaid).trimEnd()} …`
}

const columnsOf = (labels: ReadonlyMap<string, SessionLabel>): readonly Column<PackHead>[] => [
  {
    name: 'request',
    title: 'Request',
    cell: ({ requestId, createdMs }) => (
      <a class="one-line" href={addressOf.request(requestId)}>
        {dateAndTime(createdMs)}
      </a>
    ),
    by: ({ createdMs }) => createdMs,
  },
  {
    name: 'session',
    title: 'Session',
    cell: ({ session }) => <SessionLink session={session} label={labels.get(session)} />,
    by: ({ session }) => sessionName(session, labels.get(session)),
  },
  { name: 'model', title: 'Model', cell: ({ model }) => model, by: ({ model = '' }) => model },
  {
    name: 'what',
    title: 'What happened',
    cell: ({ result }) => (
      <>
        <span class="chip bad">{endWords(result)}</span> {beginning(result?.answer?.message ?? '')}
      </>
    ),
    by: ({ result }) => endWords(result),
  },
  {
    name: 'packed',
    title: 'Packing',
    cell: ({ outcome, result }) => [outcome, ...(result?.skipped ?? []).map((name) => `${name} skipped`)].join(', '),
    by: ({ outcome }) => outcome,
  },
  {
    name: 'came',
    title: 'Tokens as they came',
    isNumber: true,
    cell: ({ originalTokens }) => tokens(originalTokens),
    by: ({ originalTokens }) => originalTokens,
  },
  {
    name: 'took',
    title: 'Provider took',
    isNumber: true,
    cell: ({ result }) => milliseconds(result?.upstreamMs),
    by: ({ result }) => result?.upstreamMs ?? 0,
  },
]
