import { describe, expect, it } from 'vitest'
import type { Usage } from '../../core/index.ts'
import { modelCatalogue } from '../../tokens/index.ts'
import { exchangeCost } from './exchange-cost.ts'
import type { PlannedTokens } from './planned-tokens.ts'

const tier = { aboveInputTokens: 100_000, input: 2, output: 8, cacheRead: 0.2 }
const prices = { input: 1, output: 4, cacheRead: 0.1, tiers: [tier] }
const catalogue = modelCatalogue({ models: { priced: { family: 'openai', prices }, free: { family: 'openai' } } })
const info = catalogue.info('priced')
const marked = modelCatalogue({ models: { m: { family: 'anthropic', prices: { ...prices, cacheWrite: 2 } } } }).info(
  'm',
)

/** 10,000 tokens of 30,000 are sent; all but the last 2,000 stood in the request before. */
const shortened: PlannedTokens = {
  sent: { tokens: 10_000, again: 8000, unlike: 5000 },
  passThrough: { tokens: 30_000, again: 28_000, unlike: 25_000 },
  isRewritten: false,
  isWarm: true,
  before: 0,
  stood: 0,
}

function used(inputTokens: number, cacheReadTokens?: number, cacheWriteTokens?: number): Usage {
  return {
    inputTokens,
    outputTokens: 100,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  }
}

/** What pass-through would read and not read, in plain input tokens. */
function everything(usage: Usage, planned: PlannedTokens = shortened, model = info): number {
  const cost = exchangeCost({ planned, rounds: [usage], info: model })
  return Math.round((cost?.passThroughUsd ?? Number.NaN) * 1e6 - 400)
}

describe('what sending everything would have cost', () => {
  it('is what was paid where the same was sent', () => {
    for (const usage of [used(10_000), used(10_000, 8000), used(9000, 0), used(120_000, 110_000)]) {
      const same = { ...shortened, passThrough: shortened.sent }
      const cost = exchangeCost({ planned: same, rounds: [usage], info })
      expect(cost?.passThroughUsd).toBe(cost?.usd)
      expect(exchangeCost({ rounds: [usage], info })).toEqual(cost)
    }
  })

  it('reads what was sent before where that was read', () => {
    expect(everything(used(10_000, 8000))).toBe(2800 + 2000)
  })

  it('follows the tokenizer of the provider', () => {
    expect(everything(used(12_000, 9600))).toBe(1.2 * (2800 + 2000))
  })

  it('does not take for a tokenizer what is something that we do not see', () => {
    expect(exchangeCost({ planned: shortened, rounds: [used(50_000, 0)], info })?.passThroughTokens).toBe(70_000)
  })

  it('misses what was missed anyway, and no more', () => {
    expect(everything(used(10_000, 0))).toBe(30_000)
    expect(everything(used(10_000, 7900))).toBe(2790 + 2100)
    expect(everything(used(10_000, 2500))).toBe(1250 + 17_500)
  })

  it('has found what it would have found where the miss is ours', () => {
    const planned = { ...shortened, isRewritten: true }
    expect(everything(used(10_000, 1000), planned)).toBe(2800 + 2000)
    expect(everything(used(10_000, 1000), { ...planned, isWarm: false })).toBe(100 + 29_000)
    expect(everything(used(10_000), planned)).toBe(30_000)
  })

  it('writes where it was written, and finds no more than that', () => {
    expect(everything(used(10_000, 8000, 2000), shortened, marked)).toBe(2800 + 4000)
    const planned = { ...shortened, isRewritten: true }
    expect(everything(used(10_000, 1000, 9000), planned, marked)).toBe(2800 + 4000)
    expect(everything(used(10_000, 1000, 0), planned, marked)).toBe(100 + 29_000)
  })
})

describe('what an exchange has cost', () => {
  it('is the sum of its rounds, each at its own price; all but the last answer are ours', () => {
    const rounds = [used(60_000, 0), used(61_000, 60_000)]
    expect(exchangeCost({ rounds, info })).toEqual({
      inputTokens: 121_000,
      passThroughTokens: 60_000,
      usd: 0.0604 + 0.0074,
      passThroughUsd: 0.0604,
      clientUsd: 0.0604,
    })
  })

  it('is not known where a round has not said what it used, nor in dollars without prices', () => {
    expect(exchangeCost({ rounds: [used(10), undefined], info })).toBeUndefined()
    expect(exchangeCost({ rounds: [undefined], info })).toBeUndefined()
    const cost = { inputTokens: 10, passThroughTokens: 10 }
    expect(exchangeCost({ rounds: [used(10)], info: catalogue.info('free') })).toEqual(cost)
  })
})
