import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shippedCatalogue } from './catalogue.ts'
import { cachePricesOf, priceOf } from './price-of.ts'

const million = 1_000_000

describe('priceOf', () => {
  it('G-012, G-014, B-09: a heavy session costs $100 uncached, $19 at a hit rate of 90%, $21.50 when misses are written', () => {
    const opus = shippedCatalogue.info('claude-opus-4-8')
    const usage = { inputTokens: 20 * million, outputTokens: 0 }
    expect(priceOf(usage, opus)).toBeCloseTo(100, 9)
    expect(priceOf({ ...usage, cacheReadTokens: 18 * million }, opus)).toBeCloseTo(19, 9)
    const written = { ...usage, cacheReadTokens: 18 * million, cacheWriteTokens: 2 * million }
    expect(priceOf(written, opus)).toBeCloseTo(21.5, 9)
  })

  it('charges long writes at their own rate', () => {
    const usage = { inputTokens: 300, cacheWriteTokens: 300, cacheWriteLongTokens: 100, outputTokens: 10 }
    const dollars = (200 * 6.25 + 100 * 10 + 10 * 25) / million
    expect(priceOf(usage, shippedCatalogue.info('claude-opus-5'))).toBeCloseTo(dollars, 12)
  })

  it('prices the whole request in its tier, counted with what was cached', () => {
    const haiku = shippedCatalogue.info('claude-haiku-5-5')
    const at = (inputTokens: number) => priceOf({ inputTokens, cacheReadTokens: inputTokens, outputTokens: 0 }, haiku)
    expect(at(100_000)).toBeCloseTo(100_000 * (0.01 / million), 12)
    expect(at(100_001)).toBeCloseTo(100_001 * (0.05 / million), 12)
    const sol = shippedCatalogue.info('gpt-6-sol')
    expect(priceOf({ inputTokens: 272_000, outputTokens: 1000 }, sol)).toBeCloseTo(0.544 + 0.01, 9)
    expect(priceOf({ inputTokens: 272_001, outputTokens: 1000 }, sol)).toBeCloseTo(1.088004 + 0.015, 9)
  })

  it('explains a recorded bill: 104 requests to deepseek-chat', () => {
    const chat = shippedCatalogue.info('deepseek-chat')
    const usage = { inputTokens: 2_000_000, cacheReadTokens: 1_950_000, outputTokens: 20_000 }
    expect(priceOf(usage, chat)).toBeCloseTo(0.05 * 0.28 + 1.95 * 0.028 + 0.02 * 0.42, 9)
  })

  it('is unknown, not 0, without prices', () => {
    expect(priceOf({ inputTokens: 1000, outputTokens: 1 }, shippedCatalogue.info('nobody-knows-this'))).toBeUndefined()
  })

  it('never grows when more of the same input was read from the cache', () => {
    const token = fc.integer({ min: 0, max: 200_000 })
    fc.assert(
      fc.property(token, token, token, (read, more, rest) => {
        const inputTokens = read + more + rest
        for (const model of ['claude-sonnet-5-5', 'gpt-5', 'deepseek-v4-pro', 'gemini-2.5-pro']) {
          const price = (cacheReadTokens: number) =>
            priceOf({ inputTokens, cacheReadTokens, outputTokens: 5 }, shippedCatalogue.info(model)) ?? Number.NaN
          expect(price(read + more)).toBeLessThanOrEqual(price(read))
        }
      }),
    )
  })
})

describe('cachePricesOf', () => {
  it('gives multiples of the input price', () => {
    expect(cachePricesOf(shippedCatalogue.info('claude-opus-5-5'))).toEqual({
      read: 0.05,
      write: 1.25,
      minTokens: 512,
      ttlMs: 300_000,
      readableAt: 'requests',
    })
    expect(cachePricesOf(shippedCatalogue.info('models/gemini-2.5-pro'))).toEqual({
      read: 0.1,
      write: 1,
      minTokens: 2048,
      ttlMs: 180_000,
    })
    expect(cachePricesOf(shippedCatalogue.info('gpt-4o'))).toEqual({
      read: 0.5,
      write: 1,
      minTokens: 1024,
      ttlMs: 300_000,
      blockTokens: 128,
    })
  })

  it('is absent where prices or cache are', () => {
    expect(cachePricesOf(shippedCatalogue.info('nobody-knows-this'))).toBeUndefined()
    expect(cachePricesOf(shippedCatalogue.info('@cf/meta/llama-3-8b-instruct'))).toBeUndefined()
    expect(cachePricesOf(shippedCatalogue.info('kimi-nobody-has-priced'))).toBeUndefined()
  })
})
