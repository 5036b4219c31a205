import { NumberHeap } from './number-heap.ts'
import { type ByteText, byteText } from './byte-text.ts'
import type { Ranks } from './ranks.ts'

const NO_RANK = -1
const POSITION_RANGE = 2 ** 32

/**
 * Counts the tokens that byte-pair merging leaves of one piece. Always the lowest rank first, the leftmost of
 * equals, as the reference does; a heap keeps it O(n log n) where the reference is quadratic.
 */
export function countMerges(piece: string, ranks: Ranks): number {
  const text = byteText(piece, ranks)
  if (text.length <= shortLength) return countShort(text)
  const parts = startParts(text)
  let tokens = parts.text.length
  while (parts.heap.size > 0) {
    const key = parts.heap.pop()
    const rank = Math.floor(key / POSITION_RANGE)
    const start = key - rank * POSITION_RANGE
    if (parts.pairRank[start] !== rank) continue // merged away or grown since it was queued
    mergeAt(parts, start)
    tokens -= 1
  }
  return tokens
}

/** Up to so many bytes it is faster to look at all pairs than to keep a heap. */
const shortLength = 48
/** Where each part of a short piece starts, and where the last one ends. */
const starts = new Int32Array(shortLength + 1)
/** The rank of each part with the one behind it. */
const pairs = new Int32Array(shortLength)

function countShort(text: ByteText): number {
  let tokens = text.length
  for (let at = 0; at <= tokens; at += 1) starts[at] = at
  for (let at = 0; at + 1 < tokens; at += 1) pairs[at] = text.rank(at, at + 2)
  for (let at = lowestPair(tokens); at !== -1; at = lowestPair(tokens)) {
    tokens -= 1
    for (let part = at + 1; part <= tokens; part += 1) {
      starts[part] = starts[part + 1] as number
      pairs[part] = pairs[part + 1] as number
    }
    if (at + 1 < tokens) pairs[at] = text.rank(starts[at] as number, starts[at + 2] as number)
    if (at > 0) pairs[at - 1] = text.rank(starts[at - 1] as number, starts[at + 1] as number)
  }
  return tokens
}

/** The leftmost pair of the lowest rank, or -1. */
function lowestPair(parts: number): number {
  let lowest = -1
  let rank = Infinity
  for (let at = 0; at + 1 < parts; at += 1) {
    const own = pairs[at] as number
    if (own === NO_RANK || own >= rank) continue
    rank = own
    lowest = at
  }
  return lowest
}

/** A list of parts linked both ways, indexed by the byte at which a part starts. */
interface Parts {
  readonly text: ByteText
  readonly next: Int32Array
  readonly previous: Int32Array
  readonly pairRank: Int32Array
  readonly heap: NumberHeap
}

function startParts(text: ByteText): Parts {
  const { length } = text
  const parts = {
    text,
    next: new Int32Array(length + 1),
    previous: new Int32Array(length + 1),
    pairRank: new Int32Array(length + 1),
    heap: new NumberHeap(),
  }
  for (let start = 0; start < length; start += 1) {
    parts.next[start] = start + 1
    parts.previous[start] = start - 1
  }
  for (let start = 0; start < length; start += 1) queuePair(parts, start)
  return parts
}

function queuePair(parts: Parts, start: number): void {
  const { text, next, pairRank, heap } = parts
  const middle = next[start] as number
  const rank = middle < text.length ? text.rank(start, next[middle] as number) : NO_RANK
  pairRank[start] = rank
  if (rank !== NO_RANK) heap.push(rank * POSITION_RANGE + start)
}

function mergeAt(parts: Parts, start: number): void {
  const { text, next, previous, pairRank } = parts
  const swallowed = next[start] as number
  const after = next[swallowed] as number
  pairRank[swallowed] = NO_RANK
  next[start] = after
  if (after < text.length) previous[after] = start
  queuePair(parts, start)
  if (start > 0) queuePair(parts, previous[start] as number)
}
