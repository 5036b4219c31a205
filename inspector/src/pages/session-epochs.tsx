import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { addressOf } from '../address.ts'
import type { SessionDetail, SessionEpoch } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { clock, count, counted, money, unknown } from '../format.ts'
import { Term } from '../parts/term.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered } from '../parts/states.tsx'
import { epochWords, missWords } from '../words.ts'

interface EpochsProps {
  readonly session: string
  /** How many epochs and breaks its requests show so far: where there are more, they are asked for again. */
  readonly seen: number
}

/** A session's epochs and breaks of its cache: why each came, what it cost, and whether it paid back. */
export function EpochsAndBreaks({ session, seen }: EpochsProps): JSX.Element {
  const answer = useAnswer<SessionDetail>(`/v1/sessions/${encodeURIComponent(session)}`)
  const told = useRef(seen)
  useEffect(() => {
    if (told.current !== seen) answer.again()
    told.current = seen
  }, [seen])
  return (
    <Answered answer={answer}>
      {(detail) => (
        <div class="halves">
          <Epochs detail={detail} />
          <Breaks detail={detail} />
        </div>
      )}
    </Answered>
  )
}

interface Detailed {
  readonly detail: SessionDetail
}

/** More rows of both tables are shown when somebody asks for them. */
const shownFirst = 60

function Epochs({ detail }: Detailed): JSX.Element {
  const { epochs, lanes, whole } = detail
  return (
    <section class="panel">
      <header>
        <h2>
          <Term word="Epoch">Epochs</Term>
        </h2>
        <p>Between two of them no byte changes that a cache may hold.</p>
        {lanes.length > 1 && <p>{count(lanes.length)} conversations under this name.</p>}
        {!whole && <p>Of the first 200,000 requests.</p>}
      </header>
      <SortedTable
        caption="Epochs"
        orderName="epochs"
        shownFirst={shownFirst}
        columns={epochColumns(detail.cacheMisses)}
        rows={epochs}
        keyOf={({ lane, epoch }) => `${lane} ${epoch}`}
      />
    </section>
  )
}

function Breaks({ detail: { cacheMisses, epochs } }: Detailed): JSX.Element {
  const breaks = cacheMisses.filter(({ cause }) => cause !== 'too-short')
  return (
    <section class="panel">
      <header>
        <h2>Breaks of the cache</h2>
        <p>
          {breaks.length === 0
            ? 'None: what was sent before was always read back.'
            : 'Tokens that a cache had held and that were paid for again.'}
        </p>
        {breaks.length < cacheMisses.length && (
          <p>{counted(cacheMisses.length - breaks.length, ['request was', 'requests were'])} too short for a cache.</p>
        )}
      </header>
      {breaks.length > 0 && (
        <SortedTable
          caption="Breaks of the cache"
          orderName="breaks"
          shownFirst={shownFirst}
          columns={missColumns(new Set(epochs.map(({ firstRequestId }) => firstRequestId)))}
          rows={breaks}
          keyOf={({ requestId }) => requestId}
        />
      )}
    </section>
  )
}

type Misses = SessionDetail['cacheMisses']

const epochColumns = (misses: Misses): readonly Column<SessionEpoch>[] => [
  {
    name: 'epoch',
    title: 'Epoch',
    cell: ({ epoch, firstRequestId }) => <a href={addressOf.request(firstRequestId)}>{epoch}</a>,
  },
  { name: 'cause', title: 'Why', cell: ({ cause }) => epochWords(cause), by: ({ cause }) => cause },
  {
    name: 'requests',
    title: 'Requests',
    isNumber: true,
    cell: ({ requests }) => count(requests),
    by: ({ requests }) => requests,
  },
  {
    name: 'price',
    title: 'Price',
    isNumber: true,
    cell: (epoch) => <Price epoch={epoch} misses={misses} />,
    by: ({ rewriteCost }) => rewriteCost ?? -1,
  },
  {
    name: 'saved',
    title: 'Saved',
    isNumber: true,
    cell: ({ savedUsd, paidBack }) =>
      paidBack === null ? 'n/a' : <span class={savedUsd < 0 ? 'bad' : 'good'}>{money(savedUsd)}</span>,
    by: ({ savedUsd }) => savedUsd,
  },
  {
    name: 'paid',
    title: 'Paid back',
    cell: ({ paidBack }) =>
      paidBack === null ? 'n/a' : <span class={`chip ${paidBack ? 'good' : 'bad'}`}>{paidBack ? 'yes' : 'no'}</span>,
  },
]

interface PriceProps {
  readonly epoch: SessionEpoch
  readonly misses: Misses
}

/** What the provider billed of it, where it has told; else what was expected. The same event has this one price on every page. */
function Price({ epoch: { firstRequestId, rewriteCost }, misses }: PriceProps): JSX.Element {
  const billed = misses.find(({ requestId }) => requestId === firstRequestId)
  if (billed === undefined) return <>{price(rewriteCost)}</>
  return (
    <span title={`${count(billed.tokens)} tokens were read anew; expected before: ${price(rewriteCost)}`}>
      {money(billed.usd)}
    </span>
  )
}

/** Below nothing where the cache was cold: all is written again anyway, and then it is less. */
function price(tokens: number | null): string {
  if (tokens === null) return unknown
  return tokens < 0
    ? `none, ${count(Math.round(-tokens))} tokens less`
    : `about ${count(Math.round(tokens))} tokens of input`
}

const missColumns = (begun: ReadonlySet<string>): readonly Column<Misses[number]>[] => [
  {
    name: 'request',
    title: 'Request',
    cell: ({ requestId, atMs }) => <a href={addressOf.request(requestId)}>{clock(atMs)}</a>,
    by: ({ atMs }) => atMs,
  },
  {
    name: 'cause',
    title: 'Why',
    cell: ({ cause, by, requestId }) =>
      begun.has(requestId) ? 'an epoch of ours began' : `${missWords(cause)}${by === null ? '' : `, by the ${by}`}`,
    by: ({ cause }) => cause,
  },
  { name: 'tokens', title: 'Tokens', isNumber: true, cell: ({ tokens }) => count(tokens), by: ({ tokens }) => tokens },
  { name: 'usd', title: 'Cost', isNumber: true, cell: ({ usd }) => money(usd), by: ({ usd }) => usd ?? 0 },
]
