import type { SseEvent } from './sse.ts'
import { sseParser } from './sse.ts'

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
  push(chunk: Uint8Array): SseFrames
}

const asItCame = new WeakMap<SseEvent, Uint8Array>()

/** The bytes in which an event came. A changed event is another object, and has none. */
export function bytesOf(event: SseEvent): Uint8Array | undefined {
  return asItCame.get(event)
}

export function sseReader(): SseReader {
  const parser = sseParser()
  const cut = frameCutter()
  let held: Uint8Array[] = []
  return {
    push(chunk) {
      const ends = cut(chunk)
      const last = ends.at(-1)
      if (last === undefined) {
        held.push(chunk)
        return nothing
      }
      const [first = 0, ...others] = ends
      const frames = [joined(held, chunk.subarray(0, first))]
      let at = first
      for (const end of others) {
        frames.push(chunk.subarray(at, end))
        at = end
      }
      const bytes = joined(held, chunk.subarray(0, last))
      held = last === chunk.length ? [] : [chunk.subarray(last)]
      return { bytes, events: frames.map((frame) => eventOf(parser.push(frame), frame)) }
    },
  }
}

const nothing: SseFrames = { events: [], bytes: new Uint8Array() }

function joined(held: readonly Uint8Array[], rest: Uint8Array): Uint8Array {
  if (held.length === 0) return rest
  const parts = [...held, rest]
  const all = new Uint8Array(parts.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** A frame holds one event at most; comments between its lines belong to it. */
function eventOf(parsed: readonly SseEvent[], frame: Uint8Array): SseEvent {
  const event = parsed.find(({ comment }) => comment === undefined) ?? parsed[0] ?? { data: '', comment: '' }
  asItCame.set(event, frame)
  return event
}

const lineFeed = 10
const carriageReturn = 13
const colon = 58

/**
 * Gives the places in a chunk at which nothing is pending: after the empty lines that end an event, and after a comment
 * between events, which servers send to keep a connection alive.
 */
function frameCutter(): (chunk: Uint8Array) => number[] {
  let line: 'empty' | 'comment' | 'field' = 'empty'
  let isInEvent = false
  // A line feed that comes next belongs to the line before.
  let afterReturn = false
  return (chunk) => {
    const lineEnd = lineEnds(chunk)
    const ends: number[] = []
    let at = 0
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
      at = isReturn && chunk[end + 1] === lineFeed ? end + 2 : end + 1
      isInEvent = line !== 'empty' && (isInEvent || line === 'field')
      line = 'empty'
      if (isSpare) ends.pop()
      if (!isInEvent) ends.push(at)
    }
    return ends
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
