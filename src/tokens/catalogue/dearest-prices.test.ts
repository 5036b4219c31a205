import { describe, expect, it } from 'vitest'
import { dearestPrices } from './dearest-prices.ts'
import { providerRules } from './provider-rules.ts'

describe('the dearest prices of a provider', () => {
  it('are no less than those of any of its models, by any of its lists', () => {
    for (const { provider, prices } of providerRules.values()) {
      if (prices === undefined) continue
      const dearest = dearestPrices(provider)
      for (const list of [prices, ...(prices.tiers ?? [])]) {
        expect(dearest.input).toBeGreaterThanOrEqual(list.input)
        expect(dearest.output).toBeGreaterThanOrEqual(list.output)
        expect(dearest.cacheWriteLong).toBeGreaterThanOrEqual(list.cacheWriteLong ?? list.cacheWrite ?? list.input)
      }
    }
  })
})
