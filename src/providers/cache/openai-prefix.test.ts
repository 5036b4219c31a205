import { describe, expect, it } from 'vitest'
import { cacheModel } from './cache-model.ts'
import type { CacheBlock } from './rules.ts'

const blocks = (sizes: readonly number[], name = 'b'): CacheBlock[] =>
  sizes.map((tokens, index) => ({ hash: `${name}${index}`, tokens }))

describe('OpenAI cache before GPT-5.6 (spec 2.1)', () => {
  it('reads in steps of 128 from 1024 on and bills no writes', () => {
    const cache = cacheModel('openai')
    cache.request({ key: 'k', nowMs: 0, blocks: blocks([1000, 300]) })
    expect(cache.request({ key: 'k', nowMs: 1, blocks: blocks([1000, 300, 700]) })).toEqual({
      inputTokens: 2000,
      outputTokens: 0,
      cacheReadTokens: 1280,
      cacheWriteTokens: 0,
      cacheWriteLongTokens: 0,
    })
  })

  it('does not read a shared prefix under 1024 tokens', () => {
    const cache = cacheModel('openai')
    cache.request({ key: 'k', nowMs: 0, blocks: [...blocks([1000]), { hash: 'x', tokens: 900 }] })
    expect(
      cache.request({ key: 'k', nowMs: 1, blocks: [...blocks([1000]), { hash: 'y', tokens: 900 }] }),
    ).toMatchObject({ cacheReadTokens: 0 })
  })

  it('finds the longest common prefix of any earlier request', () => {
    const cache = cacheModel('openai')
    cache.request({ key: 'k', nowMs: 0, blocks: [...blocks([1500, 1500]), { hash: 'x', tokens: 900 }] })
    const usage = cache.request({ key: 'k', nowMs: 1, blocks: [...blocks([1500, 1500]), { hash: 'y', tokens: 900 }] })
    expect(usage.cacheReadTokens).toBe(2944)
  })

  it('forgets after five idle minutes, and after an hour whatever the use', () => {
    const cache = cacheModel('openai')
    const request = (nowMs: number) => cache.request({ key: 'k', nowMs, blocks: blocks([2048]) }).cacheReadTokens
    request(0)
    expect(request(300_000)).toBe(2048)
    expect(request(600_001)).toBe(0)
    for (let minute = 14; minute <= 68; minute += 4) expect(request(minute * 60_000)).toBe(2048)
    expect(request(72 * 60_000)).toBe(0)
    expect(request(73 * 60_000)).toBe(2048)
  })

  it('misses beyond the rate at which a key overflows', () => {
    const cache = cacheModel('openai', { keyRequestsPerMinute: 15 })
    const reads = Array.from({ length: 40 }, (_, turn) =>
      cache.request({ key: 'k', nowMs: turn * 2000, blocks: blocks([2048]) }),
    )
    const missed = reads.flatMap(({ cacheReadTokens }, turn) => (cacheReadTokens === 0 ? [turn] : []))
    expect(missed).toEqual([0, ...Array.from({ length: 15 }, (_, at) => at + 15)])
  })

  it('misses the asked share of requests, the same ones for the same seed', () => {
    const run = (seed: number) => {
      const cache = cacheModel('openai', { missRate: 0.4, seed })
      return Array.from({ length: 200 }, (_, turn) => cache.request({ key: 'k', nowMs: turn, blocks: blocks([2048]) }))
    }
    const misses = run(1).filter((usage) => usage.cacheReadTokens === 0).length
    expect(misses).toBeGreaterThan(60)
    expect(misses).toBeLessThan(100)
    expect(run(1)).toEqual(run(1))
    expect(run(1)).not.toEqual(run(2))
  })
})
