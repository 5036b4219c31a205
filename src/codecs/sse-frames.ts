import { PrehendError } from '../core/index.ts'
import { gatheredBytes } from './gathered-bytes.ts'
import type { SseEvent } from './sse.ts'
import { eventIn } from './sse.ts'

/** What one read of a stream completed. */
export interface SseFrames {
  /** In the order in which they came; what is no event for anybody, such as an empty line, is an empty comment. */
  readonly events: readonly SseEvent[]
  /** The bytes of these events, and no others. */
  readonly bytes: Uint8Array
}

/**
 * Reads server-sent events out of chunks that may be cut anywhere, with the bytes in which they came. Nothing of an event
 * is given out before the empty line that ends it; an event whose end never comes is none.
 */
export interface SseReader {
  /** Throws `upstream-broken` where an event grows longer than it may. */
  push(chunk: Uint8Array): SseFrames
}

/** An event as it came. What is private to it is no part of a copy, and found far sooner than in a map of such events. */
class FramedEvent implements SseEvent {
  declare readonly event?: string
  readonly data: string
  declare readonly id?: string
  declare readonly comment?: string
  readonly #frame: Uint8Array

  constructor({ event, data, id, comment }: SseEvent, frame: Uint8Array) {
    if (event !== undefined) this.event = event
    this.data = data
    if (id !== undefined) this.id = id
    if (comment !== undefined) this.comment = comment
    this.#frame = frame
  }

  static frameOf(event: SseEvent): Uint8Array | undefined {
    return #frame in event ? event.#frame : undefined
  }
}

/** The bytes in which an event came. A changed event is another object, and has none. */
export function bytesOf(event: SseEvent): Uint8Array | undefined {
  return FramedEvent.frameOf(event)
}

export interface SseReaderOptions {
  /** Longest event, give or take one chunk; any by default. */
  readonly eventBytes?: number
}

export function sseReader({ eventBytes = Infinity }: SseReaderOptions = {}): SseReader {
  const cut = frameCutter()
  /** The line feed that ends an event was given out before it came. */
  let isGivenAhead = false
  /** The beginning of an event. */
  const held = gatheredBytes()
  const whole = (rest: Uint8Array): Uint8Array => {
    if (held.length === 0) return rest
    held.add(rest)
    return held.take()
  }
  return {
    push(came) {
      const chunk = isGivenAhead && came[0] === lineFeed ? came.subarray(1) : came
      if (came.length > 0) isGivenAhead = false
      const ends = cut.in(chunk)
      const [first, ...others] = ends
      if (first === undefined) {
        held.add(chunk)
        if (held.length > eventBytes) throw eventTooLong(eventBytes)
        return nothing
      }
      const last = ends.at(-1) ?? first
      const begun = held.length
      isGivenAhead = last === chunk.length && cut.waitsForLineFeed()
      const bytes = isGivenAhead ? withLineFeed(whole(part(chunk, 0, last))) : whole(part(chunk, 0, last))
      if (last < chunk.length) held.add(chunk.subarray(last))
      let at = 0
      const events = [first, ...others].map((end) => {
        const frame = part(bytes, at, isGivenAhead && end === last ? bytes.length : begun + end)
        at = begun + end
        return new FramedEvent(eventIn(frame), frame)
      })
      return { bytes, events }
    },
  }
}

/** Most reads bring one whole event: to look at a part of it costs more than to find where it ends. */
function part(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end)
}

function withLineFeed(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length + 1)
  whole.set(bytes)
  whole[bytes.length] = lineFeed
  return whole
}

const nothing: SseFrames = { events: [], bytes: new Uint8Array() }

function eventTooLong(eventBytes: number): PrehendError {
  const remedy = 'Ask for a shorter reply, or raise limits.eventBytes.'
  const said = `An event of the provider's stream is longer than ${eventBytes} bytes. ${remedy}`
  return new PrehendError('upstream-broken', said, { remedy })
}

const lineFeed = 10
const carriageReturn = 13
const colon = 58

interface FrameCutter {
  /**
   * Gives the places in a chunk at which nothing is pending: after the empty lines that end an event, and after a comment
   * between events, which servers send to keep a connection alive.
   */
  in(chunk: Uint8Array): number[]
  /**
   * Whether the chunk has ended within a CR LF, as far as can be told. An event must keep both: Google's SDK reads none
   * of which the line feed comes elsewhere. True once; the line feed is then no part of the next chunk.
   */
  waitsForLineFeed(): boolean
}

function frameCutter(): FrameCutter {
  let line: 'empty' | 'comment' | 'field' = 'empty'
  let isInEvent = false
  // A line feed that comes next belongs to the line before.
  let afterReturn = false
  let areLinesInPairs = false
  const cut = (chunk: Uint8Array): number[] => {
    const lineEnd = lineEnds(chunk)
    const ends: number[] = []
    let at = 0
    if (afterReturn && chunk.length > 0) areLinesInPairs = chunk[0] === lineFeed
    if (afterReturn && chunk[0] === lineFeed) {
      at = 1
      if (!isInEvent) ends.push(at)
    }
    if (chunk.length > 0) afterReturn = false
    while (at < chunk.length) {
      const end = lineEnd(at)
      if (end > at && line === 'empty') line = chunk[at] === colon ? 'comment' : 'field'
      if (end === chunk.length) break
      const isReturn = chunk[end] === carriageReturn
      const isSpare = line === 'empty' && !isInEvent && ends.at(-1) === at
      afterReturn = isReturn && end + 1 === chunk.length
      if (!afterReturn) areLinesInPairs = isReturn && chunk[end + 1] === lineFeed
      at = isReturn && chunk[end + 1] === lineFeed ? end + 2 : end + 1
      isInEvent = line !== 'empty' && (isInEvent || line === 'field')
      line = 'empty'
      if (isSpare) ends.pop()
      if (!isInEvent) ends.push(at)
    }
    return ends
  }
  return {
    in: cut,
    waitsForLineFeed() {
      const waits = afterReturn && areLinesInPairs
      if (waits) afterReturn = false
      return waits
    },
  }
}

/** Where the line that a place is in ends; the chunk's end where it does not end here. Asked in order, it looks at no byte twice. */
function lineEnds(chunk: Uint8Array): (from: number) => number {
  const [feed, back] = [lineFeed, carriageReturn].map((byte) => {
    let next = -1
    return (from: number): number => {
      if (next >= from) return next
      const found = chunk.indexOf(byte, from)
      next = found < 0 ? chunk.length : found
      return next
    }
  }) as [(from: number) => number, (from: number) => number]
  return (from) => Math.min(feed(from), back(from))
}
