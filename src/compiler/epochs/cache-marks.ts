import type { CacheMark, CachePrices, Item, Ledger } from '../../core/index.ts'

export interface ReadableOptions {
  readonly items: readonly Item[]
  readonly ledger: Ledger | undefined
  readonly nowMs: number | undefined
  readonly prices: CachePrices
  /** Tokens before each item, as they stood in the last request. */
  readonly sums: readonly number[]
}

/** Marks that are kept; a rewriting seldom reaches further back. */
const mostMarks = 64

/**
 * How many tokens the provider can still read when the request is the same up to, but not including, item `from`. Where a
 * cache is only read at marks, those are the opening, which every request refreshes, and the ends of earlier requests that
 * are not too old.
 */
export function readableTokens({ items, ledger, nowMs, prices, sums }: ReadableOptions, from: number): number {
  if (ledger === undefined) return 0
  if (prices.readableAt !== 'requests') return sums[from] ?? 0
  const first = firstReadable(items, prices)
  const opening = items.findIndex((item) => item.role === 'assistant')
  const start = opening >= first && opening <= from ? (sums[opening] ?? 0) : 0
  const mark = marksOf(ledger).findLast(
    ({ items: end, atMs }) => end >= first && end <= from && isAlive(atMs, nowMs, prices),
  )
  return Math.max(start, mark === undefined ? 0 : (sums[mark.items] ?? 0))
}

/** The fewest items with which a prefix may end that is still looked for. */
function firstReadable(items: readonly Item[], { readableWithin }: CachePrices): number {
  if (readableWithin === undefined) return 0
  let ends = 0
  for (let at = items.length; at > 0; at--) {
    if (isMessageEnd(items, at - 1) && ++ends > readableWithin) return at + 1
  }
  return 0
}

function isMessageEnd(items: readonly Item[], at: number): boolean {
  const next = items[at + 1]
  return next === undefined || next.kind === 'tool-result' || next.role !== items[at]?.role
}

/** The marks after a request whose first `same` items are those of the request before. */
export function nextMarks(
  { items, ledger, nowMs, prices }: Omit<ReadableOptions, 'sums'>,
  same: number,
): readonly CacheMark[] {
  const atMs = nowMs === undefined ? {} : { atMs: nowMs }
  const kept = marksOf(ledger).filter((mark) => mark.items <= same && isAlive(mark.atMs, nowMs, prices))
  const read = kept.at(-1)
  const refreshed = read === undefined ? [] : [{ ...read, ...atMs }]
  const end = read?.items === items.length ? [] : [{ items: items.length, ...atMs }]
  return [...kept.slice(0, -1), ...refreshed, ...end].slice(-mostMarks)
}

function marksOf(ledger: Ledger | undefined): readonly CacheMark[] {
  return (ledger?.layout === 'messages' ? ledger.marks : undefined) ?? []
}

function isAlive(atMs: number | undefined, nowMs: number | undefined, { ttlMs }: CachePrices): boolean {
  return atMs === undefined || nowMs === undefined || nowMs - atMs <= ttlMs
}
