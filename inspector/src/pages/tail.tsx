import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf, useAddress } from '../address.ts'
import type { SessionLabel } from '../api/answers.ts'
import type { LiveEvent } from '../api/events.ts'
import { useLiveEvents } from '../api/use-live-events.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { clock } from '../format.ts'
import { Empty } from '../parts/states.tsx'
import { SessionLink } from '../parts/session-link.tsx'
import { Title } from '../parts/title.tsx'
import { VirtualRows } from '../parts/virtual-rows.tsx'
import { eventWords } from './event-words.ts'

/** What happens, as it happens, the newest first. */
export function Tail(): JSX.Element {
  const { query, set } = useAddress()
  const [isPaused, setIsPaused] = useState(false)
  const { events, isOpen } = useLiveEvents(isPaused)
  const types = [...new Set(events.map(({ type }) => type))].toSorted()
  const shown = events.filter(({ type }) => (query['type'] ?? '') === '' || type === query['type'])
  return (
    <div class="page">
      <header>
        <Title text="Tail" />
        <span class={`chip ${isOpen ? 'good' : 'warn'}`} role="status">
          {isOpen ? 'listening' : 'not connected'}
        </span>
        <div class="end">
          <label>
            <span class="hidden-label">Kind of event</span>
            <select value={query['type'] ?? ''} onChange={(event) => set({ type: event.currentTarget.value })}>
              <option value="">all events</option>
              {types.map((type) => (
                <option key={type} value={type}>
                  {type}
                </option>
              ))}
            </select>
          </label>
          <button type="button" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </button>
        </div>
      </header>
      <section class="panel">
        {shown.length === 0 ? (
          <Empty title="Nothing has happened yet">
            <p>Events appear here as requests come through.</p>
          </Empty>
        ) : (
          <Events events={shown} />
        )}
      </section>
    </div>
  )
}

const rowHeight = 32

function Events({ events }: { readonly events: readonly LiveEvent[] }): JSX.Element {
  const labels = useSessionLabels()
  return (
    <div role="table" aria-label="Events" aria-rowcount={events.length} tabIndex={0}>
      <VirtualRows
        count={events.length}
        rowHeight={rowHeight}
        height={704}
        label="Events"
        row={(index) => {
          const event = events[index]
          const label = labels.get(String(event?.data['session'] ?? ''))
          return event && <EventRow key={event.id} event={event} index={index} label={label} />
        }}
      />
    </div>
  )
}

interface EventRowProps {
  readonly event: LiveEvent
  readonly index: number
  readonly label: SessionLabel | undefined
}

function EventRow({ event, index, label }: EventRowProps): JSX.Element {
  const { type, data } = event
  const session = String(data['session'] ?? '')
  const said = eventWords(event)
  return (
    <div class="event-row" role="row" aria-rowindex={index + 1} style={{ height: `${rowHeight}px` }}>
      <span role="cell" class="number quiet">
        {data['at'] === undefined ? '' : clock(Date.parse(String(data['at'])))}
      </span>
      <span role="cell">
        <span class={`chip ${toneOf(event)}`}>{type.replace('context:', '')}</span>
      </span>
      <span role="cell" class="cut of-session" title={session}>
        {session !== '' && <SessionLink session={session} label={label} />}
      </span>
      <span role="cell" class="cut" title={said}>
        {data['requestId'] === undefined ? said : <a href={addressOf.request(String(data['requestId']))}>{said}</a>}
      </span>
    </div>
  )
}

function toneOf({ type, data }: LiveEvent): string {
  if (type === 'security') return 'bad'
  if (type === 'context:epoch') return (data['record'] as { decision?: string }).decision === 'begin' ? 'warn' : ''
  return calm.has(type) ? '' : 'warn'
}

/** What happens all the time. */
const calm: ReadonlySet<string> = new Set(['context:assembled', 'context:compacted', 'context:truncated'])
