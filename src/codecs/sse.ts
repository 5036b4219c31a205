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

interface Pending {
  readonly event?: string
  readonly id?: string
  readonly data?: string
}

/** State of the parser between two chunks. */
interface SseState {
  /** The beginning of a line that has not ended. */
  readonly rest: string
  readonly pending: Pending
  /** The chunk before ended in CR: a LF that follows belongs to it. */
  readonly afterReturn: boolean
}

const lineEnd = /\r\n|\r|\n/g

export function sseParser(): SseParser {
  const decoder = new TextDecoder('utf-8')
  let state: SseState = { rest: '', pending: {}, afterReturn: false }
  const feed = (text: string): readonly SseEvent[] => {
    const stepped = readChunk(state, text)
    state = stepped.state
    return stepped.events
  }
  return {
    push: (chunk) => feed(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })),
    end: () => [...feed(decoder.decode()), ...feed('\n\n')],
  }
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

function readChunk(state: SseState, chunk: string): { state: SseState; events: readonly SseEvent[] } {
  const events: SseEvent[] = []
  const text = state.rest + (state.afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk)
  let pending = state.pending
  let at = 0
  lineEnd.lastIndex = state.rest.length
  for (let end = lineEnd.exec(text); end !== null; end = lineEnd.exec(text)) {
    pending = readLine(pending, text.slice(at, end.index), events)
    at = lineEnd.lastIndex
  }
  const afterReturn = chunk === '' ? state.afterReturn : at === text.length && text.endsWith('\r')
  return { state: { rest: text.slice(at), pending, afterReturn }, events }
}

function readLine(pending: Pending, line: string, events: SseEvent[]): Pending {
  if (line === '') {
    if (pending.data !== undefined) events.push({ ...pending, data: pending.data })
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
      return { ...pending, data: pending.data === undefined ? value : `${pending.data}\n${value}` }
    case 'event':
      return { ...pending, event: value }
    case 'id':
      return { ...pending, id: value }
    default:
      return pending
  }
}
