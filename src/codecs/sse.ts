import { PrehendError } from '../core/index.ts'
import { gatheredBytes } from './gathered-bytes.ts'

/** One server-sent event. A comment, kept because it keeps connections alive, has `comment` and empty data. */
export interface SseEvent {
  readonly event?: string
  readonly data: string
  readonly id?: string
  readonly comment?: string
}

/** Reads server-sent events out of chunks that may be cut anywhere, inside a character or a line ending too. */
export interface SseParser {
  /** Events that are complete with this chunk. Throws `upstream-broken` where one grows longer than it may. */
  push(chunk: Uint8Array): readonly SseEvent[]
  /** The event that the stream was cut off after, if its last line was complete or its data is. */
  end(): readonly SseEvent[]
}

export interface SseParserOptions {
  /** Longest event, give or take one chunk; any without it. */
  readonly eventBytes?: number
}

/** An event whose empty line has not come. */
interface Pending {
  readonly event?: string
  readonly id?: string
  /** Lines, put together at the end; shared by all states of the event. */
  readonly data?: string[]
}

const lineEnd = /\r\n|\r|\n/g
const lineFeed = 10
const carriageReturn = 13

/**
 * Line ends are looked for in the new chunk only, and a line that came in many is joined once: a stream costs what it is
 * long, however it is cut.
 */
export function sseParser({ eventBytes = Infinity }: SseParserOptions = {}): SseParser {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** The beginning of a line that has not ended. */
  const rest = gatheredBytes()
  let pending: Pending = {}
  /** What was read of the event that is pending, without `rest`. */
  let pendingBytes = 0
  /** The chunk before ended in CR: a LF that follows belongs to it. */
  let afterReturn = false

  /** The lines that end with these bytes, which are whole. */
  const lines = (bytes: Uint8Array): readonly SseEvent[] => {
    const read = readLines(pending, decoder.decode(rest.length === 0 ? bytes : joined(bytes)))
    pending = read.pending
    pendingBytes = read.isOver ? read.tail : pendingBytes + read.tail
    return read.events
  }
  const joined = (bytes: Uint8Array): Uint8Array => {
    rest.add(bytes)
    return rest.take()
  }
  return {
    push(chunk) {
      const bytes = afterReturn && chunk[0] === lineFeed ? chunk.subarray(1) : chunk
      if (chunk.length > 0) afterReturn = chunk.at(-1) === carriageReturn
      const whole = Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)) + 1
      const events = whole === 0 ? [] : lines(bytes.subarray(0, whole))
      rest.add(bytes.subarray(whole))
      if (pendingBytes + rest.length > eventBytes) throw eventTooLong(eventBytes)
      return events
    },
    end: () => lines(twoLineFeeds),
  }
}

const twoLineFeeds = new Uint8Array([lineFeed, lineFeed])

function eventTooLong(eventBytes: number): PrehendError {
  const remedy = 'Ask for a shorter reply, or raise limits.eventBytes.'
  const said = `An event of the provider's stream is longer than ${eventBytes} bytes. ${remedy}`
  return new PrehendError('upstream-broken', said, { remedy })
}

/** The bytes of an event on the wire. */
export function encodeSse(event: SseEvent): string {
  let text = ''
  if (event.comment !== undefined) text += `:${event.comment}\n`
  if (event.event !== undefined) text += `event: ${event.event}\n`
  if (event.id !== undefined) text += `id: ${event.id}\n`
  if (event.comment === undefined || event.data !== '') text += `data: ${event.data.replaceAll('\n', '\ndata: ')}\n`
  return `${text}\n`
}

interface ReadLines {
  readonly pending: Pending
  readonly events: readonly SseEvent[]
  /** Whether an empty line ended what was pending. */
  readonly isOver: boolean
  /** Characters after the last empty line. */
  readonly tail: number
}

/** Reads lines of which each has its end. */
function readLines(before: Pending, text: string): ReadLines {
  const events: SseEvent[] = []
  let pending = before
  let isOver = false
  let at = 0
  let tailFrom = 0
  lineEnd.lastIndex = 0
  for (let end = lineEnd.exec(text); end !== null; end = lineEnd.exec(text)) {
    pending = readLine(pending, text.slice(at, end.index), events)
    if (end.index === at) {
      isOver = true
      tailFrom = lineEnd.lastIndex
    }
    at = lineEnd.lastIndex
  }
  return { pending, events, isOver, tail: text.length - tailFrom }
}

function readLine(pending: Pending, line: string, events: SseEvent[]): Pending {
  if (line === '') {
    if (pending.data !== undefined) events.push({ ...pending, data: pending.data.join('\n') })
    return {}
  }
  const colon = line.indexOf(':')
  if (colon === 0) {
    events.push({ data: '', comment: line.slice(1) })
    return pending
  }
  const field = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
  switch (field.replace(/^\uFEFF/, '')) {
    case 'data':
      if (pending.data === undefined) return { ...pending, data: [value] }
      pending.data.push(value)
      return pending
    case 'event':
      return { ...pending, event: value }
    case 'id':
      return { ...pending, id: value }
    default:
      return pending
  }
}
