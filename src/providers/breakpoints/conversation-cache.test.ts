import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelCatalogue } from '../../tokens/index.ts'
import type { CacheKind, CacheRules } from '../../tokens/index.ts'
import { cacheModelFor } from '../cache/cache-model.ts'
import type { CacheBlock } from '../cache/rules.ts'
import { emptyCache, nextInCache } from './conversation-cache.ts'

const kinds: readonly CacheKind[] = [
  'anthropic-breakpoints',
  'openai-prefix',
  'openai-breakpoints',
  'deepseek-units',
  'google-implicit',
]

function usualRules(kind: CacheKind): CacheRules {
  return modelCatalogue({ models: { own: { family: 'openai', cache: { kind } } } }).info('own').cache
}

interface Sent {
  /** Of the request before, this share of its blocks stays. */
  readonly stays: number
  readonly added: readonly number[]
  /** Marked blocks, counted from the end. */
  readonly marks: readonly { readonly back: number; readonly isLong: boolean }[]
  readonly pauseMs: number
}

const sent: fc.Arbitrary<Sent> = fc.record({
  stays: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  ),
  added: fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 6 }),
  marks: fc.uniqueArray(fc.record({ back: fc.nat(40), isLong: fc.boolean() }), {
    maxLength: 4,
    selector: ({ back }) => back,
  }),
  pauseMs: fc.oneof(
    fc.integer({ min: 1, max: 60_000 }),
    fc.constantFrom(299_000, 301_000, 1_900_000, 4_000_000, 8_000_000),
  ),
})

/** What both ways of reckoning say of a conversation, request by request. */
function bothWays(rules: CacheRules, requests: readonly Sent[]) {
  const model = cacheModelFor(rules)!
  let cache = emptyCache
  let blocks: readonly CacheBlock[] = []
  let nowMs = 1_000_000_000_000
  let fresh = 0
  return requests.map(({ stays, added, marks, pauseMs }) => {
    const shared = Math.floor(stays * blocks.length)
    blocks = [...blocks.slice(0, shared), ...added.map((tokens) => ({ hash: `b${fresh++}`, tokens }))]
    nowMs += pauseMs
    const [short = 0, long = short] = rules.ttlMs
    const placed = marks
      .map(({ back, isLong }) => ({ block: blocks.length - 1 - back, ttlMs: isLong ? long : short }))
      .filter(({ block }) => block >= 0)
      .toSorted((a, b) => a.block - b.block)
    const ttlOf = new Map(placed.map(({ block, ttlMs }) => [block, ttlMs]))
    const usage = model.request({
      key: 'k',
      nowMs,
      blocks: blocks.map((block, index) => {
        const ttlMs = rules.maxBreakpoints === 0 ? undefined : ttlOf.get(index)
        return ttlMs === undefined ? block : { ...block, breakpointTtlMs: ttlMs }
      }),
    })
    let tokens = 0
    const ends = blocks.map((block) => (tokens += block.tokens))
    const step = nextInCache(cache, { ends, shared, marks: placed, nowMs }, rules)
    cache = step.cache
    const { read, written, writtenLong } = step.find
    return {
      simulated: [usage.cacheReadTokens, usage.cacheWriteTokens, usage.cacheWriteLongTokens],
      reckoned: [read, written - read, Math.max(0, writtenLong - read)],
    }
  })
}

describe.each(kinds)('the cache of one conversation: %s', (kind) => {
  it('finds and writes what the simulated cache does with the text', () => {
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 25 }), (requests) => {
        for (const { simulated, reckoned } of bothWays(usualRules(kind), requests)) expect(reckoned).toEqual(simulated)
      }),
    )
  })

  it('remembers nothing of a request that is longer ago than it keeps anything', () => {
    const plain = { stays: 1, marks: [] }
    const requests = [
      { ...plain, added: [128], pauseMs: 299_000 },
      { ...plain, added: [1], pauseMs: 8_000_000 },
      { ...plain, stays: 0.5, added: [1], pauseMs: 1 },
    ]
    for (const { simulated, reckoned } of bothWays(usualRules(kind), requests)) expect(reckoned).toEqual(simulated)
  })

  it('keeps no more of a long conversation than of a short one', () => {
    const rules = usualRules(kind)
    let cache = emptyCache
    for (let request = 1; request <= 600; request += 1) {
      const ends = Array.from({ length: 2 * request }, (_, index) => 500 * (index + 1))
      const marks = [{ block: ends.length - 1, ttlMs: rules.ttlMs[0] ?? 0 }]
      const step = nextInCache(cache, { ends, shared: ends.length - 2, marks, nowMs: request * 1000 }, rules)
      cache = step.cache
      if (request > 10) expect(step.find.read).toBeGreaterThan(0.9 * (ends.at(-3) ?? 0))
    }
    expect(cache.entries.length).toBeLessThanOrEqual(128)
  })
})
