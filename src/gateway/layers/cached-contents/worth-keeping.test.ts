import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shippedCatalogue } from '../../../tokens/index.ts'
import { measured, newSession } from './kept-session.ts'
import type { KeptSession } from './kept-session.ts'
import { keepingGain, lifetimeMs, storageUsd } from './worth-keeping.ts'

const info = shippedCatalogue.info('gemini-3.5-flash')
const aMinuteMs = 60_000

interface Past {
  readonly requests?: number
  readonly gapMs?: number
  readonly share?: number
  readonly growth?: number
  readonly tokens?: number
}

/** A session that has read that share of its prompts from the cache. */
function session({ requests = 10, gapMs = aMinuteMs, share = 0, growth = 0, tokens = 50_000 }: Past): KeptSession {
  const reads = Array.from({ length: 3 }, () => ({ sent: tokens, read: share * tokens, growth }))
  return { ...newSession(0), requests, lastMs: (requests - 1) * gapMs, lastTokens: tokens, reads }
}

const gain = (past: Past): number => keepingGain(session(past), info)!

describe('what keeping a prompt is expected to save', () => {
  it('is the discount of half the reads that are expected, less making it and its hours', () => {
    // $1.50 and $0.15 a million tokens, $1 an hour; five reads in five minutes, and five minutes beyond.
    const millions = 0.05
    expect(gain({})).toBeCloseTo(millions * (5 * 1.35 - 1.5 - 10 / 60), 9)
  })

  it('is nothing where the provider reads its own cache', () => {
    for (const share of [0.9, 0.95, 1]) expect(gain({ share, requests: 1000 })).toBeLessThan(0)
  })

  it('is nothing where requests are too few, or too far apart', () => {
    expect(gain({ requests: 2 })).toBeLessThan(0)
    expect(gain({ requests: 6 })).toBeGreaterThan(0)
    expect(gain({ requests: 6, gapMs: 60 * aMinuteMs })).toBeLessThan(0)
  })

  it('falls with all that the cache of the provider reads, and that comes behind it', () => {
    const share = 0.5
    expect(gain({ share, growth: 5000 })).toBeLessThan(gain({ share, growth: 100 }))
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)]
        expect(gain({ share: more, growth: 1000 })).toBeLessThanOrEqual(gain({ share: less, growth: 1000 }) + 1e-12)
      }),
    )
  })

  it('is not known of a few requests, or where a price is not known', () => {
    const early = { ...session({}), reads: session({}).reads.slice(1) }
    expect(keepingGain(early, info)).toBeUndefined()
    expect(keepingGain(session({}), shippedCatalogue.info('gemini-9-ultra'))).toBeUndefined()
    expect(keepingGain(session({}), shippedCatalogue.info('gpt-5'))).toBeUndefined()
  })

  it('Pro costs more by the hour than Flash', () => {
    const hour = (model: string) => storageUsd(1e6, shippedCatalogue.info(model), 60 * aMinuteMs)
    expect([hour('gemini-3.1-pro-preview'), hour('gemini-3.5-flash'), hour('gpt-5')]).toEqual([4.5, 1, undefined])
  })

  it('lasts from five minutes to an hour, by how often it is asked', () => {
    expect([0, aMinuteMs, 4 * aMinuteMs, 100 * aMinuteMs].map(lifetimeMs)).toEqual(
      [5, 5, 12, 60].map((minutes) => minutes * aMinuteMs),
    )
  })
})

it('a read is measured against what the request before has sent', () => {
  const usage = (inputTokens: number, cacheReadTokens?: number) => ({
    inputTokens,
    outputTokens: 1,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  })
  const seen = [usage(1000), usage(1500, 900), usage(1400, 2000)].reduce(measured, newSession(0))
  expect(seen.reads).toEqual([
    { sent: 1000, read: 900, growth: 500 },
    { sent: 1500, read: 1500, growth: 0 },
  ])
  expect(seen.lastTokens).toBe(1400)
})
