import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf, useAddress } from '../address.ts'
import type { LiveEvent } from '../api/events.ts'
import { useLiveEvents } from '../api/use-live-events.ts'
import { clock, count } from '../format.ts'
import { Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

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

function Events({ events }: { readonly events: readonly LiveEvent[] }): JSX.Element {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Events">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col">Session</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ id, type, data }) => (
            <tr key={id}>
              <td class="number">{clock(Date.parse(String(data['at'])))}</td>
              <td>
                <span class={`chip ${toneOf(type)}`}>{type}</span>
              </td>
              <td>
                <a href={addressOf.session(String(data['session']))}>{String(data['session'])}</a>
              </td>
              <td>
                <a href={addressOf.request(String(data['requestId']))}>{wordsOf(data)}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function toneOf(type: string): string {
  if (type === 'security') return 'bad'
  return type === 'context:assembled' ? '' : 'warn'
}

/** The figures of an event in a line; texts of a conversation are not among them. */
function wordsOf(data: LiveEvent['data']): string {
  const facts = Object.entries(data).filter(([name]) => !['at', 'session', 'requestId', 'type'].includes(name))
  return facts.map(([name, value]) => `${name} ${written(value)}`).join(', ') || 'open'
}

function written(value: unknown): string {
  if (typeof value === 'number') return count(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const { decision, cause } = value as { decision?: string; cause?: string }
  return decision === undefined ? JSON.stringify(value).slice(0, 160) : `${decision}: ${cause ?? ''}`
}
