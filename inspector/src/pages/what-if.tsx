import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { useAddress } from '../address.ts'
import type { List, Replay, ReplayReport } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { dateAndTime } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { sessionName } from '../session-name.ts'
import { Found } from './what-if-found.tsx'
import { Wish } from './what-if-wish.tsx'

/** What other policies would have done to what came through. */
export function WhatIf(): JSX.Element {
  const { query, set } = useAddress()
  const id = query['replay']
  return (
    <div class="page">
      <header>
        <Title text="What if" />
        <p class="quiet">
          Sends recorded sessions again, in full and by other policies, and bills both by a provider’s rules.
        </p>
        {id !== undefined && (
          <div class="end">
            <button type="button" onClick={() => set({ replay: undefined, session: undefined, lane: undefined })}>
              New replay
            </button>
          </div>
        )}
      </header>
      {id === undefined ? (
        <>
          <Wish onStarted={(started) => set({ replay: started })} />
          <Earlier />
        </>
      ) : (
        <Report id={id} />
      )}
    </div>
  )
}

/** How often a replay that runs is asked how far it is. */
const askedEveryMs = 700

function Report({ id }: { readonly id: string }): JSX.Element {
  const answer = useAnswer<ReplayReport>(`/v1/replays/${encodeURIComponent(id)}`)
  const { data, isWaiting, again } = answer
  useEffect(() => {
    if (data?.state !== 'running' || isWaiting) return undefined
    const timer = setTimeout(again, askedEveryMs)
    return () => clearTimeout(timer)
  }, [data, isWaiting])
  return <Answered answer={answer}>{(report) => <Found report={report} onCancelled={again} />}</Answered>
}

function Earlier(): JSX.Element | null {
  const { withQuery } = useAddress()
  const labels = useSessionLabels()
  const answer = useAnswer<List<Replay>>('/v1/replays')
  if ((answer.data?.data.length ?? 0) === 0) return null
  const columns: readonly Column<Replay>[] = [
    {
      name: 'started',
      title: 'Started',
      cell: ({ id, startedMs }) => <a href={withQuery({ replay: id })}>{dateAndTime(startedMs)}</a>,
      by: ({ startedMs }) => startedMs,
    },
    { name: 'state', title: 'State', cell: ({ state }) => state, by: ({ state }) => state },
    {
      name: 'asked',
      title: 'Sessions',
      cell: ({ asked }) => asked.map((session) => sessionName(session, labels.get(session))).join(', '),
    },
    { name: 'policies', title: 'Policies', cell: ({ policies }) => policies.join(', ') },
  ]
  return (
    <section class="panel">
      <header>
        <h2>Earlier ones</h2>
        <p>Kept until the gateway ends.</p>
      </header>
      <Answered answer={answer}>
        {({ data }) => <SortedTable caption="Earlier replays" columns={columns} rows={data} keyOf={({ id }) => id} />}
      </Answered>
    </section>
  )
}
