import { useLocation } from 'preact-iso'
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { addressOf, useAddress } from '../address.ts'
import type { Outcome, SessionOutline, TimelineEntry } from '../api/answers.ts'
import { useTimelinePages } from '../api/use-timeline-pages.ts'
import { clock, count, dateAndTime, money, percent, tokens } from '../format.ts'
import { SectionBar } from '../parts/section-bar.tsx'
import { Problem } from '../parts/states.tsx'
import { VirtualRows } from '../parts/virtual-rows.tsx'
import { epochWords, missWords } from '../words.ts'
import { verdictWord } from './session-steering.tsx'
import { beginsEpoch, breaksCache, cachedShare, hasFailed } from './timeline-facts.ts'

const rowHeight = 34

interface TimelineProps {
  readonly outline: SessionOutline
  readonly outcomes: readonly Outcome[]
}

/** A session's requests, the oldest first, each as wide as what it sent; they are asked for as they come into view. */
export function Timeline({ outline, outcomes }: TimelineProps): JSX.Element {
  const verdicts = useMemo(() => new Map(outcomes.map((one) => [one.requestId, one.quality])), [outcomes])
  const { pages, widestTokens, lanes } = outline
  const { query, set } = useAddress()
  const timeline = useTimelinePages(outline.session, pages)
  const last = pages.requests - 1
  const selected = query['row'] === undefined ? undefined : Math.min(last, Math.max(0, Number(query['row']) - 1))
  const open = useOpening(selected === undefined ? undefined : timeline.row(selected))
  const onKeyDown = (event: KeyboardEvent): void => {
    const moved = movedTo(event.key, selected ?? -1, pages.requests)
    if (moved !== undefined) set({ row: String(moved + 1) })
    else if (event.key === 'Enter' && selected !== undefined) open(selected)
    else return
    event.preventDefault()
  }
  return (
    <>
      {timeline.problem && <Problem problem={timeline.problem} again={timeline.again} />}
      <div
        class="timeline"
        role="table"
        aria-label="Requests"
        aria-rowcount={pages.requests}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <VirtualRows
          count={pages.requests}
          rowHeight={rowHeight}
          height={560}
          label="Requests"
          selected={selected}
          onView={timeline.see}
          row={(index) => {
            const row = timeline.row(index)
            const place = { index, isSelected: index === selected }
            if (row === undefined) return <RowToCome key={index} {...place} />
            return (
              <TimelineRow
                key={row.requestId}
                {...{ row, ...place }}
                widest={widestTokens}
                trunk={lanes[0]?.lane}
                verdict={verdicts.get(row.requestId)}
              />
            )
          }}
        />
      </div>
    </>
  )
}

/** Opens a request, or waits for the one that is selected to come. */
function useOpening(row: TimelineEntry | undefined): (index: number) => void {
  const { query } = useAddress()
  const { route } = useLocation()
  const [waitsFor, setWaitsFor] = useState<string>()
  useEffect(() => {
    if (waitsFor === undefined) return
    if (waitsFor !== query['row']) setWaitsFor(undefined)
    else if (row) route(addressOf.request(row.requestId))
  }, [waitsFor, row, query['row']])
  return (index) => setWaitsFor(String(index + 1))
}

function movedTo(key: string, from: number, length: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }
  const step = steps[key]
  if (step !== undefined) return Math.min(length - 1, Math.max(0, from + step))
  return key === 'Home' ? 0 : key === 'End' ? length - 1 : undefined
}

interface PlaceProps {
  readonly index: number
  readonly isSelected: boolean
}

function RowToCome({ index, isSelected }: PlaceProps): JSX.Element {
  return (
    <div
      class="timeline-row"
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      aria-busy="true"
      style={{ height: `${rowHeight}px` }}
    >
      <span role="cell" class="number quiet">
        {count(index + 1)}
      </span>
      <span role="cell" class="quiet">
        …
      </span>
    </div>
  )
}

interface RowProps extends PlaceProps {
  readonly row: TimelineEntry
  readonly widest: number
  /** The conversation that the first request is of; others under the same name have left it. */
  readonly trunk: string | undefined
  /** How good somebody found it, from 0 to 1. */
  readonly verdict: number | undefined
}

function TimelineRow({ row, index, widest, isSelected, trunk, verdict }: RowProps): JSX.Element {
  const { requestId, createdMs, packTokens, originalTokens, sectionTokens, usd } = row
  const share = cachedShare(row)
  const parts = Object.entries(sectionTokens).map(([section, used]) => ({ section, tokens: used }))
  return (
    <div
      class="timeline-row"
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      style={{ height: `${rowHeight}px` }}
    >
      <span role="cell" class="number quiet">
        {count(index + 1)}
      </span>
      <span role="cell">
        <a href={addressOf.request(requestId)} title={dateAndTime(createdMs)}>
          {clock(createdMs)}
        </a>
      </span>
      <span role="cell" class="timeline-bars">
        <SectionBar
          parts={parts.length > 0 ? parts : [{ section: 'other', tokens: packTokens }]}
          share={packTokens / widest}
        />
        <span class="cached-bar" style={{ width: `${(packTokens / widest) * 100}%` }}>
          <i style={{ width: `${(share ?? 0) * 100}%` }} />
        </span>
      </span>
      <span role="cell" class="number" title={`${count(packTokens)} of ${count(originalTokens)} tokens sent`}>
        {tokens(packTokens)}
      </span>
      <span role="cell" class="number quiet wide">
        {share === undefined ? '' : `${percent(share)} cached`}
      </span>
      <span role="cell" class="number wide">
        {usd === null ? '' : money(usd)}
      </span>
      <span role="cell" class="flags">
        <Flags row={row} trunk={trunk} verdict={verdict} />
      </span>
    </div>
  )
}

function Flags({ row, trunk, verdict }: Pick<RowProps, 'row' | 'trunk' | 'verdict'>): JSX.Element {
  const { epoch, cacheMiss, hiddenRounds, lane, status, failure, skipped } = row
  const { withQuery } = useAddress()
  return (
    <>
      {beginsEpoch(row) && epoch !== null && (
        <span class="chip warn" title={`epoch ${epoch.epoch}: ${epochWords(epoch.cause)}`}>
          epoch
        </span>
      )}
      {cacheMiss && breaksCache(row) && (
        <span
          class="chip bad"
          title={`${missWords(cacheMiss.cause)}: ${count(cacheMiss.tokens)} tokens had to be read anew`}
        >
          cache
        </span>
      )}
      {hiddenRounds > 0 && <span class="chip">{count(hiddenRounds)} hidden</span>}
      {lane !== trunk && (
        <a class="chip" href={withQuery({ lane, row: undefined })}>
          fork
        </a>
      )}
      {verdict !== undefined && (
        <span class={`chip ${verdict >= 0.5 ? 'good' : 'bad'}`} title="How good its answer was found">
          {verdictWord(verdict)}
        </span>
      )}
      {skipped.length > 0 && <span class="chip bad">skipped {skipped.join(', ')}</span>}
      {hasFailed(row) && <span class="chip bad">{failure ?? status}</span>}
    </>
  )
}
