import { useRoute } from 'preact-iso'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { home, useAddress } from '../address.ts'
import type { TimelineEntry } from '../api/answers.ts'
import { useTimeline } from '../api/use-timeline.ts'
import { count, counted, milliseconds, money, percent, savedTone, tokens } from '../format.ts'
import { Chart } from '../parts/chart.tsx'
import { Figure, Figures } from '../parts/figure.tsx'
import { SectionLegend } from '../parts/section-bar.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { EpochsAndBreaks } from './session-epochs.tsx'
import { sessionFigures } from './session-figures.ts'
import type { SessionFigures } from './session-figures.ts'
import { Timeline } from './session-timeline.tsx'

export function Session(): JSX.Element {
  const { params } = useRoute()
  const session = params['id'] ?? ''
  const answer = useTimeline(session)
  return (
    <div class="page">
      <header>
        <p class="crumbs">
          <a href={`${home}sessions`}>Sessions</a>
        </p>
        <Title text={session} />
      </header>
      <Answered answer={answer}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="There is nothing of this session here">
              <p>Its receipts may have been removed with age, or it has another name.</p>
            </Empty>
          ) : (
            <Found rows={rows} session={session} />
          )
        }
      </Answered>
    </div>
  )
}

interface FoundProps {
  readonly rows: readonly TimelineEntry[]
  readonly session: string
}

function Found({ rows, session }: FoundProps): JSX.Element {
  const figures = useMemo(() => sessionFigures(rows), [rows])
  const { query } = useAddress()
  const own = useMemo(() => rows.filter(({ lane }) => lane === query['lane']), [rows, query['lane']])
  const sections = useMemo(() => [...new Set(rows.flatMap((row) => Object.keys(row.sectionTokens)))], [rows])
  return (
    <>
      <Summary figures={figures} requests={rows.length} />
      <Money figures={figures} />
      <section class="panel">
        <header>
          <h2>Requests</h2>
          <SectionLegend sections={sections} />
          <p>
            Tokens sent, by section; the thin line below: what the provider read from its cache. Arrow keys move, Enter
            opens.
          </p>
        </header>
        <Conversations rows={rows} />
        <Timeline rows={own.length > 0 ? own : rows} />
      </section>
      <EpochsAndBreaks session={session} seen={figures.epochs.length + figures.breaks} />
    </>
  )
}

/** More are reached by the chips of their requests. */
const mostNamed = 30

/** The conversations that go under the session's name, each of which can be seen alone. */
function Conversations({ rows }: Pick<FoundProps, 'rows'>): JSX.Element | null {
  const { query, withQuery } = useAddress()
  const lanes = [...Map.groupBy(rows, ({ lane }) => lane)]
  if (lanes.length < 2) return null
  return (
    <nav class="tabs inside" aria-label="Conversations under this name">
      <a href={withQuery({ lane: undefined, row: undefined })} aria-current={query['lane'] ? undefined : 'page'}>
        All {count(lanes.length)} conversations
      </a>
      {lanes.slice(0, mostNamed).map(([lane, { length }], index) => (
        <a
          key={lane}
          href={withQuery({ lane, row: undefined })}
          aria-current={query['lane'] === lane ? 'page' : undefined}
        >
          {index === 0 ? 'The first' : `Fork ${count(index)}`}: {counted(length, ['request', 'requests'])}
        </a>
      ))}
    </nav>
  )
}

interface Summed {
  readonly figures: SessionFigures
}

function Summary({ figures, requests }: Summed & { readonly requests: number }): JSX.Element {
  const { spent, everything, priced, inputTokens, cachedTokens, breaks, failures, hiddenRounds, overheadMs } = figures
  const saved = spent === undefined || everything === undefined ? undefined : everything - spent
  return (
    <Figures>
      <Figure
        name="Requests"
        value={count(requests)}
        note={failures > 0 ? `${count(failures)} failed` : 'none failed'}
      />
      <Figure
        name="Spent"
        value={money(spent)}
        note={`sending everything: ${money(everything)}${priced < requests ? `; ${count(priced)} requests are priced` : ''}`}
      />
      <Figure
        name="Saved"
        value={money(saved)}
        tone={savedTone(saved)}
        note={
          saved === undefined || !everything
            ? 'no price is known'
            : `${percent(saved / everything)} of sending everything`
        }
      />
      <Figure
        name="Input tokens"
        value={tokens(inputTokens)}
        note={`${percent(inputTokens > 0 ? cachedTokens / inputTokens : undefined)} read from the cache`}
      />
      <Figure
        name="Breaks of the cache"
        value={count(breaks)}
        note={counted(figures.epochs.length, ['epoch of ours', 'epochs of ours'])}
      />
      <Figure name="Hidden rounds" value={count(hiddenRounds)} note="answers of our own tools" />
      <Figure name="Own latency, median" value={milliseconds(overheadMs)} />
    </Figures>
  )
}

/** How money ran up, beside what sending everything would have cost. */
function Money({ figures }: Summed): JSX.Element | null {
  const { spent, everything, runningSpent, runningEverything, epochs } = figures
  const at = useMemo(() => runningSpent.map((_, index) => index + 1), [runningSpent])
  const series = useMemo(
    () => [
      { name: 'spent', tone: '--accent', values: runningSpent },
      { name: 'sending everything', tone: '--quiet', values: runningEverything, isDashed: true },
    ],
    [runningSpent, runningEverything],
  )
  if (spent === undefined) return null
  const label = `Money over ${runningSpent.length} requests: ${money(spent)} spent, ${money(everything)} had everything been sent.`
  return (
    <section class="panel">
      <header>
        <h2>Money, added up</h2>
        <p>Over requests; dotted lines mark where an epoch began.</p>
      </header>
      <div class="inside">
        <Chart label={label} at={at} series={series} write={money} marks={epochs} />
      </div>
    </section>
  )
}
