import { describe, expect, it } from 'vitest'
import type { CachePrices, Item, ConversationLedger } from '../../core/index.ts'
import { nextMarks, readableTokens } from './cache-marks.ts'

const prices: CachePrices = { read: 0.1, write: 1.25, minTokens: 0, ttlMs: 300_000, readableAt: 'requests' }
const items: readonly Item[] = Array.from({ length: 9 }, (_, index) => ({
  id: `i${index}`,
  section: 'history',
  kind: 'text',
  role: index < 2 ? 'user' : index % 2 === 0 ? 'assistant' : 'user',
  text: 'x',
}))
const sums = items.map((_, index) => index * 100)
const ledger = (marks: ConversationLedger['marks']) => ({ layout: 'messages', marks }) as ConversationLedger

describe('readableTokens', () => {
  it('X-02: a cache that is read at marks gives back no more than an earlier request ended at', () => {
    const cache = {
      items,
      ledger: ledger([
        { items: 4, atMs: 0 },
        { items: 6, atMs: 0 },
      ]),
      nowMs: 1,
      prices,
      sums,
    }
    expect(readableTokens(cache, 8)).toBe(600)
    expect(readableTokens(cache, 5)).toBe(400)
  })

  it('falls back to the opening, which every request refreshes, where the marks are too old', () => {
    const cache = { items, ledger: ledger([{ items: 4, atMs: 0 }]), nowMs: 300_001, prices, sums }
    expect(readableTokens(cache, 5)).toBe(200)
    expect(readableTokens(cache, 1)).toBe(0)
  })

  it('X-02: finds no end that lies further back than the provider looks', () => {
    const marks = [
      { items: 2, atMs: 0 },
      { items: 6, atMs: 0 },
    ]
    const within = (readableWithin: number) =>
      readableTokens({ items, ledger: ledger(marks), nowMs: 1, prices: { ...prices, readableWithin }, sums }, 8)
    expect(within(80)).toBe(600)
    expect(within(4)).toBe(600)
    expect(within(3)).toBe(0)
  })

  it('reads up to any place where the cache can', () => {
    const cache = { items, ledger: ledger([]), nowMs: 1, prices: { ...prices, readableAt: 'anywhere' as const }, sums }
    expect(readableTokens(cache, 5)).toBe(500)
  })
})

describe('nextMarks', () => {
  it('refreshes the mark that was read, and only that, and adds the end', () => {
    const before = ledger([
      { items: 3, atMs: 0 },
      { items: 6, atMs: 10 },
    ])
    expect(nextMarks({ items, ledger: before, nowMs: 50, prices }, 6)).toEqual([
      { items: 3, atMs: 0 },
      { items: 6, atMs: 50 },
      { items: 9, atMs: 50 },
    ])
  })

  it('forgets what was written again', () => {
    const before = ledger([
      { items: 3, atMs: 0 },
      { items: 6, atMs: 10 },
    ])
    expect(nextMarks({ items, ledger: before, nowMs: 50, prices }, 5).map((mark) => mark.items)).toEqual([3, 9])
  })
})
