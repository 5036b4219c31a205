import type { ModelPrices, PriceList, ProviderFamily } from './model-info.ts'
import { providerRules } from './provider-rules.ts'

const known = new Map<ProviderFamily, ModelPrices>()

/** What a model of a provider costs at most, by the dearest of those whose prices are known; by the dearest of all where none of its is. */
export function dearestPrices(provider: ProviderFamily): ModelPrices {
  const prices = known.get(provider) ?? dearestOf(provider)
  known.set(provider, prices)
  return prices
}

function dearestOf(provider: ProviderFamily): ModelPrices {
  const priced = [...providerRules.values()].flatMap((info) => (info.prices ? [{ ...info, prices: info.prices }] : []))
  const own = priced.filter((info) => info.provider === provider)
  const lists = (own.length > 0 ? own : priced).flatMap(({ prices }): readonly PriceList[] => [
    prices,
    ...(prices.tiers ?? []),
  ])
  const most = (price: (list: PriceList) => number): number => Math.max(...lists.map(price))
  const input = most((list) => list.input)
  return {
    input,
    output: most((list) => list.output),
    cacheRead: input,
    cacheWrite: most((list) => list.cacheWrite ?? list.input),
    cacheWriteLong: most((list) => list.cacheWriteLong ?? list.cacheWrite ?? list.input),
  }
}
