import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cacheModel } from './cache-model.ts'
import type { CacheBlock } from './rules.ts'

const ttl5m = 300_000
const ttl1h = 3_600_000

function blocks(count: number, marks: Readonly<Record<number, number>> = {}, tokens = 100): CacheBlock[] {
  return Array.from({ length: count }, (_, index) => ({
    hash: `b${index + 1}`,
    tokens,
    ...(marks[index + 1] === undefined ? {} : { breakpointTtlMs: marks[index + 1]! }),
  }))
}

describe('anthropic cache (spec 1.2, 1.4)', () => {
  it('reads what the last request wrote and pays only for the new blocks', () => {
    const cache = cacheModel('anthropic')
    expect(cache.request({ key: 'k', nowMs: 0, blocks: blocks(20, { 20: ttl5m }) })).toEqual({
      inputTokens: 2000,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 2000,
      cacheWriteLongTokens: 0,
    })
    expect(cache.request({ key: 'k', nowMs: 1000, blocks: blocks(25, { 24: ttl5m }) })).toEqual({
      inputTokens: 2500,
      outputTokens: 0,
      cacheReadTokens: 2000,
      cacheWriteTokens: 400,
      cacheWriteLongTokens: 0,
    })
  })

  it('looks back 20 positions: an entry at block 15 is out of reach of a breakpoint at 35', () => {
    const cache = cacheModel('anthropic')
    cache.request({ key: 'k', nowMs: 0, blocks: blocks(15, { 15: ttl5m }) })
    expect(cache.request({ key: 'k', nowMs: 1, blocks: blocks(35, { 35: ttl5m }) }).cacheReadTokens).toBe(0)
  })

  it('finds an entry 19 blocks before the breakpoint, and one at an earlier breakpoint', () => {
    const near = cacheModel('anthropic')
    near.request({ key: 'k', nowMs: 0, blocks: blocks(15, { 15: ttl5m }) })
    expect(near.request({ key: 'k', nowMs: 1, blocks: blocks(34, { 34: ttl5m }) }).cacheReadTokens).toBe(1500)
    const marked = cacheModel('anthropic')
    marked.request({ key: 'k', nowMs: 0, blocks: blocks(15, { 15: ttl5m }) })
    const usage = marked.request({ key: 'k', nowMs: 1, blocks: blocks(35, { 15: ttl5m, 35: ttl5m }) })
    expect(usage.cacheReadTokens).toBe(1500)
    expect(usage.cacheWriteTokens).toBe(2000)
  })

  it('counts the lifetime from the start of the request that last read the entry', () => {
    const cache = cacheModel('anthropic')
    const request = (nowMs: number) => cache.request({ key: 'k', nowMs, blocks: blocks(20, { 20: ttl5m }) })
    request(0)
    expect(request(ttl5m).cacheReadTokens).toBe(2000)
    expect(request(2 * ttl5m).cacheReadTokens).toBe(2000)
    expect(request(3 * ttl5m + 1).cacheReadTokens).toBe(0)
  })

  it('makes an entry readable only after the first byte of the answer that wrote it', () => {
    const cache = cacheModel('anthropic')
    const first = { key: 'k', nowMs: 0, firstByteMs: 500, blocks: blocks(20, { 20: ttl5m }) }
    cache.request(first)
    expect(cache.request({ ...first, nowMs: 499, firstByteMs: 900 }).cacheReadTokens).toBe(0)
    expect(cache.request({ ...first, nowMs: 500 }).cacheReadTokens).toBe(2000)
  })

  it('writes nothing when the answer never begins', () => {
    const cache = cacheModel('anthropic')
    cache.open({ key: 'k', nowMs: 0, blocks: blocks(20, { 20: ttl5m }) })
    expect(cache.request({ key: 'k', nowMs: 1, blocks: blocks(20, { 20: ttl5m }) }).cacheReadTokens).toBe(0)
  })

  it('B-09: caches nothing below the minimum of the model', () => {
    const cache = cacheModel('anthropic', { minTokens: 4096 })
    const usage = cache.request({ key: 'k', nowMs: 0, blocks: blocks(40, { 40: ttl5m }) })
    expect(usage).toMatchObject({ inputTokens: 4000, cacheReadTokens: 0, cacheWriteTokens: 0 })
    expect(cache.request({ key: 'k', nowMs: 1, blocks: blocks(40, { 40: ttl5m }) }).cacheReadTokens).toBe(0)
  })

  it('bills mixed lifetimes by the positions A, B and C', () => {
    const cache = cacheModel('anthropic')
    cache.request({ key: 'k', nowMs: 0, blocks: blocks(12, { 12: ttl1h }) })
    const usage = cache.request({ key: 'k', nowMs: 1, blocks: blocks(40, { 12: ttl1h, 20: ttl1h, 36: ttl5m }) })
    expect(usage).toMatchObject({ cacheReadTokens: 1200, cacheWriteLongTokens: 800, cacheWriteTokens: 2400 })
    expect(usage.inputTokens).toBe(4000)
  })

  it('keeps a one-hour entry when the five-minute ones are gone', () => {
    const cache = cacheModel('anthropic')
    const request = (nowMs: number) =>
      cache.request({ key: 'k', nowMs, blocks: blocks(30, { 12: ttl1h, 30: ttl5m }) }).cacheReadTokens
    request(0)
    expect(request(ttl5m + 1)).toBe(1200)
    expect(request(ttl5m + 2)).toBe(3000)
  })

  it('shares nothing between workspaces', () => {
    const cache = cacheModel('anthropic')
    cache.request({ key: 'a', nowMs: 0, blocks: blocks(20, { 20: ttl5m }) })
    expect(cache.request({ key: 'b', nowMs: 1, blocks: blocks(20, { 20: ttl5m }) }).cacheReadTokens).toBe(0)
  })

  it('every turn of a growing conversation reads exactly what was there the turn before', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 18 }), { minLength: 2, maxLength: 30 }), (growth) => {
        const cache = cacheModel('anthropic')
        let length = 11
        let before = 0
        for (const [turn, added] of growth.entries()) {
          length += added
          const usage = cache.request({ key: 'k', nowMs: turn, blocks: blocks(length, { [length]: ttl5m }) })
          expect(usage.cacheReadTokens).toBe(before)
          expect(usage.cacheWriteTokens).toBe(length * 100 - before)
          before = length * 100
        }
      }),
    )
  })
})
