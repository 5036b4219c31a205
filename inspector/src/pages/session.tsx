import { useRoute } from 'preact-iso'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { home, useAddress } from '../address.ts'
import type { List, Outcome, SessionLabel, SessionOutline } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useSessionLabel } from '../api/use-session-label.ts'
import { Ids } from '../parts/ids.tsx'
import { sessionName, sessionNote } from '../session-name.ts'
import { useFollowed } from '../api/use-followed.ts'
import { count, counted, dateAndTime, milliseconds, money, percent, tokens } from '../format.ts'
import { Chart } from '../parts/chart.tsx'
import { Figure, Figures } from '../parts/figure.tsx'
import { SavedFigures } from '../parts/saved.tsx'
import { SimulatedChip } from '../parts/simulated-chip.tsx'
import { SectionLegend } from '../parts/section-bar.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { wholeWords } from '../words.ts'
import { EpochsAndBreaks } from './session-epochs.tsx'
import { Steering } from './session-steering.tsx'
import { Timeline } from './session-timeline.tsx'

export function Session(): JSX.Element {
  const { params } = useRoute()
  const { query } = useAddress()
  const session = params['id'] ?? ''
  const label = useSessionLabel(session)
  const path = `/v1/sessions/${encodeURIComponent(session)}/outline`
  const answer = useFollowed<SessionOutline>(path, { lane: query['lane'] }, { session, isOpen: ({ open }) => open > 0 })
  return (
    <div class="page">
      <header>
        <p class="crumbs">
          <a href={`${home}sessions`}>Sessions</a>
        </p>
        <Title text={sessionName(session, label)} id={session} />
        <About session={session} label={label} />
      </header>
      <Answered answer={answer}>
        {(outline) =>
          outline.requests === 0 ? (
            <Empty title="There is nothing of this session here">
              <p>Its receipts may have been removed with age, or it has another name.</p>
            </Empty>
          ) : (
            <Found key={session} outline={outline} why={label?.why?.reason} />
          )
        }
      </Answered>
    </div>
  )
}

interface AboutProps {
  readonly session: string
  readonly label: SessionLabel | undefined
}

/** Who asked, of which model, and since when. */
function About({ session, label }: AboutProps): JSX.Element {
  const started = label?.startedMs == null ? '' : `since ${dateAndTime(label.startedMs)}`
  const note = [sessionNote(session, label), started].filter((part) => part !== '').join(', ')
  return (
    <>
      {note !== '' && <span class="quiet">{note}</span>}
      {label && <SimulatedChip sessions={[label]} />}
      <Ids ids={{ session }} />
    </>
  )
}

interface OutlineProps {
  readonly outline: SessionOutline
}

interface FoundProps extends OutlineProps {
  /** Why nothing of the newest request was shortened. */
  readonly why: string | undefined
}

function Found({ outline, why }: FoundProps): JSX.Element {
  const { session, sections, pages, epochs, breaks } = outline
  const verdicts = useAnswer<List<Outcome>>('/v1/outcomes', { session })
  const outcomes = verdicts.data?.data ?? []
  const { withQuery } = useAddress()
  return (
    <>
      <Summary outline={outline} />
      <WhyNoSaving whyMore={outline.whyMore} why={why} />
      <Money outline={outline} />
      <section class="panel">
        <header>
          <h2>Requests</h2>
          <SectionLegend sections={sections} />
          <p>
            Tokens sent, by section; the thin line below: what the provider read from its cache. Arrow keys move, Enter
            opens.
          </p>
        </header>
        <Conversations outline={outline} />
        {pages.requests > 0 ? (
          <Timeline outline={outline} outcomes={outcomes} />
        ) : (
          <Empty title="No conversation of that name is kept here">
            <p>
              Look at <a href={withQuery({ lane: undefined, row: undefined })}>all requests of the session</a>.
            </p>
          </Empty>
        )}
      </section>
      <EpochsAndBreaks session={session} seen={epochs.length + breaks} />
      <Steering session={session} outcomes={outcomes} />
    </>
  )
}

interface WhyNoSavingProps {
  readonly whyMore: string | null
  readonly why: string | undefined
}

/** Why a session saved nothing, or cost more than the client's own requests. */
function WhyNoSaving({ whyMore, why }: WhyNoSavingProps): JSX.Element {
  return (
    <>
      {whyMore !== null && (
        <p class="problem" role="note">
          It costs more than the client’s own requests would have. {whyMore}
        </p>
      )}
      {why !== undefined && (
        <p class="quiet" role="note">
          Nothing of the newest request was shortened: {wholeWords(why)}.
        </p>
      )}
    </>
  )
}

/** More are reached by the chips of their requests. */
const mostNamed = 30

/** The conversations that go under the session's name, each of which can be seen alone. */
function Conversations({ outline: { lanes } }: OutlineProps): JSX.Element | null {
  const { query, withQuery } = useAddress()
  if (lanes.length < 2) return null
  return (
    <nav class="tabs inside" aria-label="Conversations under this name">
      <a href={withQuery({ lane: undefined, row: undefined })} aria-current={query['lane'] ? undefined : 'page'}>
        All {count(lanes.length)} conversations
      </a>
      {lanes.slice(0, mostNamed).map(({ lane, requests }, index) => (
        <a
          key={lane}
          href={withQuery({ lane, row: undefined })}
          aria-current={query['lane'] === lane ? 'page' : undefined}
        >
          {index === 0 ? 'The first' : `Fork ${count(index)}`}: {counted(requests, ['request', 'requests'])}
        </a>
      ))}
    </nav>
  )
}

function Summary({ outline }: OutlineProps): JSX.Element {
  const { requests, whole, priced, inputTokens, cachedTokens, breaks, failures, hiddenRounds, overheadMs } = outline
  const { usd, passThroughUsd, clientUsd } = outline
  const isPriced = usd !== null && passThroughUsd !== null && clientUsd !== null
  return (
    <Figures>
      <Figure
        name="Requests"
        value={count(requests)}
        note={`${failures > 0 ? `${count(failures)} failed` : 'none failed'}${whole ? '' : '; later ones are not shown'}`}
      />
      <Figure
        name="Spent"
        value={money(usd)}
        note={`at the prices of each request’s model${priced < requests ? `; ${counted(priced, ['request is', 'requests are'])} priced` : ''}`}
      />
      <SavedFigures
        dollars={isPriced ? { ...outline, usd, passThroughUsd, clientUsd } : undefined}
        cachedShare={inputTokens > 0 ? cachedTokens / inputTokens : null}
      />
      <Figure
        name="Input tokens"
        value={tokens(inputTokens)}
        note={`${percent(inputTokens > 0 ? cachedTokens / inputTokens : undefined)} read from the cache`}
      />
      <Figure
        name="Breaks of the cache"
        value={count(breaks)}
        note={counted(outline.epochs.length, ['epoch of ours', 'epochs of ours'])}
      />
      <Figure name="Hidden rounds" value={count(hiddenRounds)} note="answers of our own tools" />
      <Figure name="Own latency, median" value={milliseconds(overheadMs)} />
    </Figures>
  )
}

/** How money ran up, beside what the client's own requests would have cost. */
function Money({ outline }: OutlineProps): JSX.Element | null {
  const { usd, clientUsd, observedUsd, requests, epochs } = outline
  const at = useMemo(() => outline.money.map(({ ordinal }) => ordinal), [outline])
  const series = useMemo(
    () => [
      { name: 'spent', tone: '--accent', values: outline.money.map((sum) => sum.usd) },
      ...(observedUsd > 0
        ? [{ name: 'mode on, estimated', tone: '--section-query', values: outline.money.map((sum) => sum.ifOnUsd) }]
        : []),
      {
        name: 'the client’s own requests',
        tone: '--quiet',
        values: outline.money.map((sum) => sum.clientUsd),
        isDashed: true,
      },
    ],
    [outline],
  )
  if (usd === null) return null
  const label = `Money over ${counted(requests, ['request', 'requests'])}: ${money(usd)} spent, ${money(clientUsd)} for the client’s own requests.`
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
