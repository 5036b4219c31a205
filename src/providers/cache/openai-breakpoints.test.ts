import { describe, expect, it } from 'vitest'
import { cacheModel } from './cache-model.ts'
import type { CacheBlock } from './rules.ts'

const ttl30m = 1_800_000
const ttl12h = 43_200_000

function messages(count: number, marks: Readonly<Record<number, number>> = {}, tokens = 600): CacheBlock[] {
  return Array.from({ length: count }, (_, index) => ({
    hash: `m${index + 1}`,
    tokens,
    ...(marks[index + 1] === undefined ? {} : { breakpointTtlMs: marks[index + 1]! }),
  }))
}

describe('OpenAI cache from GPT-5.6 on (spec 2.1)', () => {
  it('writes at the latest message by itself and reads it exactly, without rounding', () => {
    const cache = cacheModel('openai-breakpoints')
    expect(cache.request({ key: 'k', nowMs: 0, blocks: messages(3) })).toMatchObject({ cacheWriteTokens: 1800 })
    expect(cache.request({ key: 'k', nowMs: 1, blocks: messages(5) })).toMatchObject({
      cacheReadTokens: 1800,
      cacheWriteTokens: 1200,
    })
  })

  it('does not fall back to a shorter prefix without a breakpoint', () => {
    const cache = cacheModel('openai-breakpoints')
    cache.request({ key: 'k', nowMs: 0, blocks: messages(6) })
    const changed = [...messages(5), { hash: 'other', tokens: 600 }]
    expect(cache.request({ key: 'k', nowMs: 1, blocks: changed })).toMatchObject({
      cacheReadTokens: 0,
      cacheWriteTokens: 3600,
    })
  })

  it('reads an explicit breakpoint on stable blocks when the rest changed', () => {
    const cache = cacheModel('openai-breakpoints')
    cache.request({ key: 'k', nowMs: 0, blocks: messages(6, { 4: ttl30m }) })
    const changed = [...messages(5, { 4: ttl30m }), { hash: 'other', tokens: 600 }]
    expect(cache.request({ key: 'k', nowMs: 1, blocks: changed })).toMatchObject({ cacheReadTokens: 2400 })
  })

  it('caches nothing and bills no write in explicit mode without a breakpoint', () => {
    const cache = cacheModel('openai-breakpoints')
    cache.request({ key: 'k', nowMs: 0, mode: 'explicit', blocks: messages(6) })
    expect(cache.request({ key: 'k', nowMs: 1, mode: 'explicit', blocks: messages(6) })).toMatchObject({
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    })
  })

  it.each([
    ['implicit', [3, 4, 5]],
    ['explicit', [2, 3, 4, 5]],
  ] as const)('has four write slots in %s mode', (mode, kept) => {
    const cache = cacheModel('openai-breakpoints', { minTokens: 0 })
    const marks = { 1: ttl30m, 2: ttl30m, 3: ttl30m, 4: ttl30m, 5: ttl30m }
    cache.request({ key: 'k', nowMs: 0, mode, blocks: messages(8, marks) })
    const readable = [1, 2, 3, 4, 5].filter((length) => {
      const probe = [...messages(length, { [length]: ttl30m }), { hash: 'probe', tokens: 1, messageEnd: false }]
      return cache.open({ key: 'k', nowMs: 1, mode, blocks: probe }).usage.cacheReadTokens === length * 600
    })
    expect(readable).toEqual(kept)
  })

  it('looks at the latest 80 breakpoints, however many blocks lie between', () => {
    const seen = cacheModel('openai-breakpoints')
    seen.request({ key: 'k', nowMs: 0, blocks: messages(10) })
    expect(seen.request({ key: 'k', nowMs: 1, blocks: messages(89) }).cacheReadTokens).toBe(6000)
    const lost = cacheModel('openai-breakpoints')
    lost.request({ key: 'k', nowMs: 0, blocks: messages(10) })
    expect(lost.request({ key: 'k', nowMs: 1, blocks: messages(90) }).cacheReadTokens).toBe(0)
  })

  it('needs 1024 tokens at a breakpoint', () => {
    const cache = cacheModel('openai-breakpoints')
    expect(cache.request({ key: 'k', nowMs: 0, blocks: messages(1) }).cacheWriteTokens).toBe(0)
    expect(cache.request({ key: 'k', nowMs: 1, blocks: messages(2) }).cacheWriteTokens).toBe(1200)
  })

  it('bills twelve-hour writes apart and keeps them', () => {
    const cache = cacheModel('openai-breakpoints')
    const request = (nowMs: number) => cache.request({ key: 'k', nowMs, blocks: messages(6, { 4: ttl12h }) })
    expect(request(0)).toMatchObject({ cacheWriteTokens: 3600, cacheWriteLongTokens: 2400 })
    expect(request(ttl30m + 1)).toMatchObject({
      cacheReadTokens: 2400,
      cacheWriteTokens: 1200,
      cacheWriteLongTokens: 0,
    })
  })

  it('matches the routing key with the prefix', () => {
    const cache = cacheModel('openai-breakpoints')
    cache.request({ key: 'a', nowMs: 0, blocks: messages(4) })
    expect(cache.request({ key: 'b', nowMs: 1, blocks: messages(4) }).cacheReadTokens).toBe(0)
  })
})
