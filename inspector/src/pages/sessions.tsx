import type { JSX } from 'preact'
import type { SessionLabel, SessionSummary } from '../api/answers.ts'
import { ago, count, dateAndTime, money, tokens, unknown } from '../format.ts'
import { FirstSteps } from '../parts/first-steps.tsx'
import { Saved } from '../parts/saved.tsx'
import { SessionLink } from '../parts/session-link.tsx'
import { SimulatedChip } from '../parts/simulated-chip.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { useAllPages } from '../api/use-all-pages.ts'
import { isOnlyObserved, savingsIfOn, savingsOf } from '../savings.ts'
import { isUnnamed, sessionName } from '../session-name.ts'
import { wholeWords } from '../words.ts'
import type { Savings } from '../savings.ts'

/** Older ones are found by name. */
const most = 1000

export function Sessions(): JSX.Element {
  const labels = useSessionLabels()
  const answer = useAllPages<SessionSummary>('/v1/sessions', {}, { limit: 200, most })
  return (
    <div class="page">
      <header>
        <Title text="Sessions" />
        <SimulatedChip sessions={[...labels.values()]} />
        <p class="quiet">Each conversation that has come through, the last used first.</p>
      </header>
      <Answered answer={answer}>
        {(rows) =>
          rows.length === 0 ? (
            <FirstSteps />
          ) : (
            <section class="panel">
              <SortedTable
                caption="Sessions"
                columns={[
                  sessionColumn(labels),
                  ...columns,
                  ...(rows.some(({ cost }) => cost.observedUsd > 0) ? [wouldSave] : []),
                  ...([...labels.values()].some(({ why }) => why !== undefined) ? [whyColumn(labels)] : []),
                ]}
                shownFirst={200}
                rows={rows}
                keyOf={({ session }) => session}
              />
              {rows.length >= most && (
                <p class="inside quiet">
                  These are the {count(most)} that were used last; the search finds older ones by any part of their
                  name.
                </p>
              )}
              <Unnamed rows={rows} labels={labels} />
            </section>
          )
        }
      </Answered>
    </div>
  )
}

interface UnnamedProps {
  readonly rows: readonly SessionSummary[]
  readonly labels: ReadonlyMap<string, SessionLabel>
}

/** Says what an id is by one that the page has. */
function Unnamed({ rows, labels }: UnnamedProps): JSX.Element | null {
  const unnamed = rows.find(({ session }) => isUnnamed(session))
  if (unnamed === undefined) return null
  return (
    <p class="inside quiet">
      A session whose client gives it no name has an id that is made of how its conversation begins, such as{' '}
      <code title={unnamed.session}>{unnamed.session.slice(0, 12)}…</code> of “
      {sessionName(unnamed.session, labels.get(unnamed.session))}”. The header <code>x-session-id</code> gives it a name
      that you know again.
    </p>
  )
}

function sessionColumn(labels: ReadonlyMap<string, SessionLabel>): Column<SessionSummary> {
  return {
    name: 'session',
    title: 'Session',
    cell: ({ session }) => <SessionLink session={session} label={labels.get(session)} />,
    by: ({ session }) => sessionName(session, labels.get(session)),
  }
}

/** Why nothing of the newest request was shortened. */
function whyColumn(labels: ReadonlyMap<string, SessionLabel>): Column<SessionSummary> {
  const reasonOf = (session: string): string => labels.get(session)?.why?.reason ?? ''
  return {
    name: 'why',
    title: 'Why whole',
    cell: ({ session }) => <small title={wholeWords(reasonOf(session))}>{reasonOf(session)}</small>,
    by: ({ session }) => reasonOf(session),
  }
}

const columns: readonly Column<SessionSummary>[] = [
  {
    name: 'spent',
    title: 'Spent',
    isNumber: true,
    cell: ({ cost }) => <Spent cost={cost} />,
    by: ({ cost }) => (cost.priced > 0 ? (cost.usd ?? -1) : -1),
  },
  {
    name: 'saved',
    title: 'Saved',
    isNumber: true,
    cell: ({ cost }) => (canSave(cost) ? <Saved savings={savingsOf(cost)} /> : unknown),
    by: ({ cost }) => savingsOf(cost).saved,
  },
  {
    name: 'used',
    title: 'Last used',
    cell: ({ usedMs }) => (
      <time dateTime={new Date(usedMs).toISOString()} title={dateAndTime(usedMs)}>
        {ago(usedMs, Date.now())}
      </time>
    ),
    by: ({ usedMs }) => usedMs,
  },
  {
    name: 'requests',
    title: 'Answered',
    isNumber: true,
    cell: ({ cost }) => count(cost.requests),
    by: ({ cost }) => cost.requests,
  },
  {
    name: 'tokens',
    title: 'Input tokens',
    isNumber: true,
    cell: ({ cost }) => tokens(cost.inputTokens),
    by: ({ cost }) => cost.inputTokens,
  },
  partColumn('marks', 'By cache marks', ({ byMarks }) => byMarks),
  partColumn('packing', 'By packing', ({ byPacking }) => byPacking),
]

/** What was only observed has saved nothing. */
function canSave(cost: SessionSummary['cost']): boolean {
  return cost.priced > 0 && !isOnlyObserved(cost)
}

const wouldSave: Column<SessionSummary> = {
  name: 'would',
  title: 'Would save, about',
  isNumber: true,
  cell: ({ cost }) => (cost.observedUsd > 0 ? <Saved savings={savingsIfOn(cost)} /> : ''),
  by: ({ cost }) => savingsIfOn(cost)?.saved ?? 0,
}

function partColumn(name: string, title: string, of: (savings: Savings) => number): Column<SessionSummary> {
  return {
    name,
    title,
    isNumber: true,
    cell: ({ cost }) => (canSave(cost) ? money(of(savingsOf(cost))) : unknown),
    by: ({ cost }) => of(savingsOf(cost)),
  }
}

function Spent({ cost }: Pick<SessionSummary, 'cost'>): JSX.Element {
  const { requests, priced, usd } = cost
  if (priced === 0) return <>{unknown}</>
  return (
    <>
      {money(usd)} {priced < requests && <small class="quiet">{count(priced)} priced</small>}
    </>
  )
}
