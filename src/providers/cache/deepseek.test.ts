import { describe, expect, it } from 'vitest'
import { cacheModel } from './cache-model.ts'
import type { CacheBlock } from './rules.ts'

const block = (hash: string, tokens: number): CacheBlock => ({ hash, tokens })

describe('DeepSeek cache (spec 4.2)', () => {
  it('hits the whole of what the last request sent, in steps of 128', () => {
    const cache = cacheModel('deepseek')
    const first = [block('system', 700), block('user', 300)]
    cache.request({ key: 'k', nowMs: 0, blocks: first })
    const usage = cache.request({ key: 'k', nowMs: 1, blocks: [...first, block('answer', 200), block('next', 100)] })
    expect(usage).toMatchObject({ inputTokens: 1300, cacheReadTokens: 896, cacheWriteTokens: 0 })
  })

  it('keeps a unit at the end of the answer', () => {
    const cache = cacheModel('deepseek')
    const first = [block('user', 1000)]
    cache.request({ key: 'k', nowMs: 0, blocks: first, reply: [block('answer', 600)] })
    const usage = cache.request({ key: 'k', nowMs: 1, blocks: [...first, block('answer', 600), block('next', 100)] })
    expect(usage.cacheReadTokens).toBe(1536)
  })

  it('misses a shared part once, then keeps it: A+B, A+C, A+D', () => {
    const cache = cacheModel('deepseek')
    const ask = (tail: string, nowMs: number) =>
      cache.request({ key: 'k', nowMs, blocks: [block('A', 1280), block(tail, 500)] }).cacheReadTokens
    expect([ask('B', 0), ask('C', 1), ask('D', 2)]).toEqual([0, 0, 1280])
  })

  it('always computes the block with the last token', () => {
    const cache = cacheModel('deepseek')
    cache.request({ key: 'k', nowMs: 0, blocks: [block('A', 1280)] })
    expect(cache.request({ key: 'k', nowMs: 1, blocks: [block('A', 1280)] }).cacheReadTokens).toBe(1152)
  })

  it('keeps units at intervals of a long input', () => {
    const cache = cacheModel('deepseek')
    cache.request({ key: 'k', nowMs: 0, blocks: [block('A', 5000), block('B', 5000), block('C', 5000)] })
    const usage = cache.request({ key: 'k', nowMs: 1, blocks: [block('A', 5000), block('B', 5000), block('D', 5000)] })
    expect(usage.cacheReadTokens).toBe(9984)
  })
})
