import type { EventRing, NumberedEvent } from '../telemetry/event-ring.ts'

export interface EventReader {
  readonly tenant: string
  /** Only what happened in it. */
  readonly session?: string | undefined
  /** Only these types; all where there are none. */
  readonly types: readonly string[]
  /** The last id that the reader has; only what comes from now on where absent. */
  readonly lastId?: string | undefined
  readonly heartbeatMs: number
}

/** The type of an event that says how many others a reader has missed. */
export const missedType = 'missed'

/**
 * What happens, as server-sent events. Nothing is held for a reader but its place: one that falls behind what is kept is told how many
 * it has missed, by an event `missed`, and goes on with what there is.
 */
export function eventStream(ring: EventRing, reader: EventReader): ReadableStream<Uint8Array> {
  const text = new TextEncoder()
  let wakeUp: () => void = () => undefined
  let place = placeOf(ring, reader)
  const pieceNow = (): string | undefined => {
    for (let event = ring.after(reader.tenant, place); event; event = ring.after(reader.tenant, place)) {
      const missed = event.number - place - 1
      if (missed > 0) {
        place = event.number - 1
        return `event: ${missedType}\ndata: ${JSON.stringify({ type: missedType, events: missed })}\n\n`
      }
      place = event.number
      if (isWanted(event, reader)) return written(event)
    }
    return undefined
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(text.encode(': events\n\n')),
      async pull(controller) {
        let piece = pieceNow()
        if (piece === undefined && !ring.isClosed) {
          await happening(ring, reader, (wake) => (wakeUp = wake))
          piece = pieceNow() ?? ': heartbeat\n\n'
        }
        if (piece === undefined) controller.close()
        else controller.enqueue(text.encode(piece))
      },
      cancel: () => wakeUp(),
    },
    { highWaterMark: 1 },
  )
}

/** Resolves at the next happening, or when it is time for a heartbeat. */
function happening(
  ring: EventRing,
  { tenant, heartbeatMs }: EventReader,
  waits: (wake: () => void) => void,
): Promise<void> {
  return new Promise((done) => {
    const wake = (): void => {
      clearTimeout(timer)
      leave()
      done()
    }
    const timer = setTimeout(wake, heartbeatMs)
    const leave = ring.next(tenant, wake)
    waits(wake)
  })
}

/** After an id that nobody knows here everything is new. */
function placeOf(ring: EventRing, { tenant, lastId }: EventReader): number {
  return lastId === undefined ? ring.newest(tenant) : (ring.numberOf(tenant, lastId) ?? 0)
}

function isWanted({ session, event }: NumberedEvent, reader: EventReader): boolean {
  if (reader.session !== undefined && session !== reader.session) return false
  return reader.types.length === 0 || reader.types.includes(event.type)
}

function written({ id, atMs, session, requestId, event }: NumberedEvent): string {
  const data = { at: new Date(atMs).toISOString(), session, requestId, ...event }
  return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(data)}\n\n`
}
