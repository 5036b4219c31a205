import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shippedCatalogue } from '../../tokens/index.ts'
import { billedFor, mostOf, pricedAs } from './price-bounds.ts'

const models = [
  'gpt-4.1',
  'gpt-5.1',
  'claude-sonnet-4-6',
  'claude-sonnet-4-5',
  'gemini-3.5-flash',
  'deepseek-chat',
  'no-such-model',
]

describe('the most that a call may come to', () => {
  it('is no less than what any usage of that size is billed, whatever of it the cache held', () => {
    const usages = fc
      .record({
        model: fc.constantFrom(...models),
        inputTokens: fc.integer({ min: 1, max: 400_000 }),
        outputTokens: fc.integer({ min: 0, max: 100_000 }),
        read: fc.double({ min: 0, max: 1, noNaN: true }),
        written: fc.double({ min: 0, max: 1, noNaN: true }),
        long: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ model, read, written, long, inputTokens, ...usage }) => {
        const cacheReadTokens = Math.floor(read * inputTokens)
        const cacheWriteTokens = Math.floor(written * (inputTokens - cacheReadTokens))
        const cacheWriteLongTokens = Math.floor(long * cacheWriteTokens)
        return { model, usage: { ...usage, inputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteLongTokens } }
      })
    fc.assert(
      fc.property(usages, ({ model, usage }) => {
        const info = pricedAs(shippedCatalogue.info(model))
        const { inputTokens: promptTokens, outputTokens } = usage
        const most = mostOf({ infos: [info], promptTokens, outputTokens })
        const billed = billedFor(usage, { ...info, windowTokens: 1_000_000 })
        expect(most.nanoUsd).toBeGreaterThanOrEqual(billed?.nanoUsd ?? Infinity)
        expect(most.tokens).toBeGreaterThanOrEqual(billed?.tokens ?? Infinity)
      }),
    )
  })

  it('is that of the dearest of several models that may answer', () => {
    const [cheap, dear] = ['gpt-4.1-mini', 'gpt-4.1'].map((model) => shippedCatalogue.info(model))
    if (!cheap || !dear) throw new Error('unknown models')
    const size = { promptTokens: 1000, outputTokens: 1000 }
    const both = mostOf({ ...size, infos: [cheap, dear] })
    expect(both).toEqual(mostOf({ ...size, infos: [dear] }))
    expect(both.nanoUsd).toBeGreaterThan(mostOf({ ...size, infos: [cheap] }).nanoUsd)
  })
})
