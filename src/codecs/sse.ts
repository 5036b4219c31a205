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
  /** Events that are complete with this chunk. */
  push(chunk: string | Uint8Array): readonly SseEvent[]
  /** The event that the stream was cut off after, if its last line was complete or its data is. */
  end(): readonly SseEvent[]
}

/** An event whose empty line has not come. */
interface Pending {
  readonly event?: string
  readonly id?: string
  /** Lines, put together at the end; shared by all states of the event. */
  readonly data?: string[]
}

const lineFeed = 10
const carriageReturn = 13
const twoLineFeeds = new Uint8Array([lineFeed, lineFeed])

const encoder = new TextEncoder()

/** Takes lines that have their ends, and so no part of a character. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Line ends are looked for in the new chunk only, and a line that came in many is joined once: a stream costs what it is
 * long, however it is cut.
 */
export function sseParser(): SseParser {
  /** The beginning of a line that has not ended. */
  const rest = gatheredBytes()
  let pending: Pending = {}
  /** The chunk before ended in CR: a LF that follows belongs to it. */
  let afterReturn = false
  const read = (whole: Uint8Array): readonly SseEvent[] => {
    const events: SseEvent[] = []
    rest.add(whole)
    pending = readLines(pending, decoder.decode(rest.take()), (event) => events.push(event))
    return events
  }
  return {
    push(part) {
      const chunk = typeof part === 'string' ? encoder.encode(part) : part
      const bytes = afterReturn && chunk[0] === lineFeed ? chunk.subarray(1) : chunk
      if (chunk.length > 0) afterReturn = chunk.at(-1) === carriageReturn
      const end = Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)) + 1
      const events = end === 0 ? [] : read(bytes.subarray(0, end))
      rest.add(bytes.subarray(end))
      return events
    },
    end: () => read(twoLineFeeds),
  }
}

/** The event in lines that hold one at most; where they hold none, the first comment among them, or an empty one. */
export function eventIn(lines: Uint8Array): SseEvent {
  const text = decoder.decode(lines)
  const usual = usualEvent(text)
  if (usual) return usual
  let event: SseEvent | undefined
  let comment: SseEvent | undefined
  readLines({}, text, (read) => {
    if (read.comment === undefined) event ??= read
    else comment ??= read
  })
  return event ?? comment ?? { data: '', comment: '' }
}

const named = 'event: '
const saying = 'data: '

/** Nearly all events that models stream: one line of data, after one with their name or none. Undefined for others. */
function usualEvent(text: string): SseEvent | undefined {
  const at = text.startsWith(named) ? text.indexOf('\n') + 1 : 0
  const end = text.length - 2
  if (!text.startsWith(saying, at) || text.indexOf('\n', at) !== end || !text.endsWith('\n') || text.includes('\r'))
    return undefined
  const data = text.slice(at + saying.length, end)
  return at === 0 ? { data } : { event: text.slice(named.length, at - 1), data }
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

type Give = (event: SseEvent) => void

/** Reads lines of which each has its end; what is pending after them. */
function readLines(before: Pending, text: string, give: Give): Pending {
  const [feed, back] = [placesOf(text, '\n'), placesOf(text, '\r')]
  let pending = before
  for (let at = 0; at < text.length;) {
    const end = Math.min(feed(at), back(at))
    pending = readLine(pending, text.slice(at, end), give)
    at = text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1
  }
  return pending
}

/** The next place of a character; the text's end where there is none. Asked in order, it looks at no character twice. */
function placesOf(text: string, character: string): (from: number) => number {
  let next = -1
  return (from) => {
    if (next >= from) return next
    const found = text.indexOf(character, from)
    next = found < 0 ? text.length : found
    return next
  }
}

function readLine(pending: Pending, line: string, give: Give): Pending {
  if (line === '') {
    if (pending.data !== undefined) give({ ...pending, data: pending.data.join('\n') })
    return {}
  }
  const colon = line.indexOf(':')
  if (colon === 0) {
    give({ data: '', comment: line.slice(1) })
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
