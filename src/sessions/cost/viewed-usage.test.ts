import { describe, expect, it } from 'vitest'
import type { Usage } from '../../core/index.ts'
import type { CacheFind } from '../../providers/breakpoints/index.ts'
import { modelCatalogue } from '../../tokens/index.ts'
import { exchangeCost } from './exchange-cost.ts'
import type { PlannedTokens } from './planned-tokens.ts'

const prices = { input: 1, output: 0, cacheRead: 0.1, cacheWrite: 1.25, cacheWriteLong: 2 }
const catalogue = modelCatalogue({
  models: { marked: { family: 'anthropic', prices }, unasked: { family: 'openai', prices } },
})
const marked = catalogue.info('marked')

function find(read: number, written = read, writtenLong = 0): CacheFind {
  return { read, written, writtenLong }
}

/** 10,000 tokens of 30,000 are sent, in our own count; all but the last 2,000 stood in the request before. */
function planned(views: Partial<NonNullable<PlannedTokens['viewed']>>, kind = marked.cache.kind): PlannedTokens {
  const viewed = { kind, client: find(0), everything: find(28_000, 30_000), packed: find(8000, 10_000), ...views }
  return {
    sent: { tokens: 10_000, again: 8000, unlike: 5000 },
    passThrough: { tokens: 30_000, again: 28_000, unlike: 25_000 },
    isRewritten: false,
    isWarm: true,
    before: 0,
    stood: 0,
    viewed,
  }
}

function used(inputTokens: number, cacheReadTokens: number, cacheWriteTokens: number): Usage {
  return { inputTokens, outputTokens: 0, cacheReadTokens, cacheWriteTokens, cacheWriteLongTokens: 0 }
}

/** In plain input tokens. */
function client(usage: Usage, plan: PlannedTokens): number {
  return Math.round((exchangeCost({ planned: plan, rounds: [usage], info: marked })?.clientUsd ?? Number.NaN) * 1e6)
}

describe("what the client's own request would have cost", () => {
  it('is all plain where it marks nothing and the provider caches what is marked', () => {
    expect(client(used(10_000, 8000, 2000), planned({}))).toBe(30_000)
    expect(client(used(20_000, 16_000, 4000), planned({}))).toBe(30_000 + 10_000)
    expect(client(used(12_000, 9600, 2400), planned({}))).toBe(36_000)
  })

  it('reads and writes up to its own marks', () => {
    const views = { client: find(4000) }
    expect(client(used(10_000, 8000, 2000), planned(views))).toBe(400 + 26_000)
    expect(client(used(10_000, 0, 10_000), planned({ client: find(0, 4000) }))).toBe(5000 + 26_000)
    expect(client(used(10_000, 0, 10_000), planned({ client: find(0, 4000, 4000) }))).toBe(8000 + 26_000)
  })

  it('misses what the provider let go of', () => {
    expect(client(used(10_000, 0, 10_000), planned({ client: find(4000) }))).toBe(5000 + 26_000)
  })

  it('is that with our marks where these change nothing, and where another cache has answered', () => {
    const same = { client: find(28_000, 30_000) }
    const usage = used(10_000, 8000, 2000)
    const all = exchangeCost({ planned: planned(same), rounds: [usage], info: marked })
    expect(all?.clientUsd).toBe(all?.passThroughUsd)
    const other = { planned: planned({}), rounds: [usage], info: marked, infos: [catalogue.info('unasked')] }
    expect(exchangeCost(other)?.clientUsd).toBe(exchangeCost(other)?.passThroughUsd)
  })
})

describe('what mode on would have cost of an observed request', () => {
  const ifOn = (usage: Usage, plan?: PlannedTokens, info = marked) => {
    const cost = exchangeCost({ observed: { planned: plan }, rounds: [usage], info })
    return [cost?.usd, cost?.ifOn?.passThroughUsd, cost?.ifOn?.usd].map((usd) => Math.round((usd ?? Number.NaN) * 1e6))
  }

  it('is with our marks, and packed, where the client marks nothing', () => {
    expect(ifOn(used(30_000, 0, 0), planned({}))).toEqual([30_000, 2800 + 2500, 800 + 2500])
    expect(ifOn(used(33_000, 0, 0), planned({}))).toEqual([33_000, 3080 + 2750, 880 + 2750])
  })

  it('is as much less as less is read and written, where the client marks its end', () => {
    const same = { client: find(28_000, 30_000) }
    expect(ifOn(used(30_000, 28_000, 2000), planned(same))).toEqual([5300, 5300, 3300])
    expect(ifOn(used(30_000, 28_000, 2000), planned({ ...same, packed: find(1000, 10_000) }))).toEqual([
      5300,
      5300,
      100 + 9000 * 1.25,
    ])
  })

  it('misses what the provider let go of', () => {
    const same = { client: find(28_000, 30_000) }
    expect(ifOn(used(30_000, 0, 30_000), planned(same))).toEqual([37_500, 37_500, 12_500])
  })

  it('caches nothing where the provider tells of no cache', () => {
    expect(ifOn({ inputTokens: 30_000, outputTokens: 0 }, planned({}))).toEqual([30_000, 30_000, 10_000])
  })

  it('is what was paid where the request could not have been packed', () => {
    expect(ifOn(used(30_000, 28_000, 2000))).toEqual([5300, 5300, 5300])
    expect(exchangeCost({ rounds: [used(1, 0, 0)], info: marked })).not.toHaveProperty('ifOn')
  })
})
