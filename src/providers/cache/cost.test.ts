import fc from 'fast-check'
import { expect, it } from 'vitest'
import { costOf } from './cost.ts'

const rates = { read: 0.1, write: 1.25, writeLong: 2, output: 5 }

it('prices each token at exactly one rate', () => {
  const usage = {
    inputTokens: 1000,
    outputTokens: 10,
    cacheReadTokens: 500,
    cacheWriteTokens: 300,
    cacheWriteLongTokens: 100,
  }
  expect(costOf(usage, rates)).toBeCloseTo(200 + 50 + 250 + 200 + 50, 9)
})

it('a request that the provider reported no caching for costs its input', () => {
  fc.assert(
    fc.property(fc.nat(), (inputTokens) => {
      expect(costOf({ inputTokens, outputTokens: 0 }, rates)).toBe(inputTokens)
    }),
  )
})
