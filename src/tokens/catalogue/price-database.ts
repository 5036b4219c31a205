import { createRequire } from 'node:module'
import type { MatchLogic, ModelPrice, TieredPrices, calcPrice } from '@pydantic/genai-prices'
import { PROVIDER_RULES_AS_OF } from './provider-rules.ts'
import type { ModelPrices, PriceList, PriceTier } from './model-info.ts'

export interface ListedModel {
  readonly prices: ModelPrices
  readonly windowTokens?: number
}

interface Database {
  readonly calcPrice: typeof calcPrice
}

const require = createRequire(import.meta.url)

/**
 * Looks a model up in genai-prices, which is loaded when first asked. Only entries that name this very model count:
 * the database also matches by prefix, which would give a new model the prices of its predecessor.
 */
export function listedModel(name: string): ListedModel | undefined {
  const database = require('@pydantic/genai-prices') as Database
  // A fixed hour of a fixed day, as prices may depend on both: peak hours, which is the dearer reading.
  const timestamp = new Date(`${PROVIDER_RULES_AS_OF}T08:00:00Z`)
  const found = database.calcPrice({ input_tokens: 0, output_tokens: 0 }, name, { timestamp })
  if (found === null || !namesExactly(found.model.match, name)) return undefined
  const prices = modelPrices(found.model_price)
  if (prices === undefined) return undefined
  const window = found.model.context_window
  return window === undefined ? { prices } : { prices, windowTokens: window }
}

function namesExactly(match: MatchLogic, name: string): boolean {
  if ('or' in match) return match.or.some((part) => namesExactly(part, name))
  if ('equals' in match) return match.equals === name
  if ('starts_with' in match) return match.starts_with === name
  return false
}

function modelPrices(price: ModelPrice): ModelPrices | undefined {
  const list = priceList(price, undefined)
  if (list === undefined) return undefined
  const tiers = tierStarts(price).flatMap((start): PriceTier[] => {
    const tier = priceList(price, start)
    return tier === undefined ? [] : [{ aboveInputTokens: start, ...tier }]
  })
  return tiers.length === 0 ? list : { ...list, tiers }
}

function priceList(price: ModelPrice, start: number | undefined): PriceList | undefined {
  const input = priceFrom(price['input_mtok'], start)
  const output = priceFrom(price['output_mtok'], start)
  if (input === undefined || output === undefined) return undefined
  const cacheRead = priceFrom(price['cache_read_mtok'], start)
  const cacheWrite = priceFrom(price['cache_write_mtok'], start)
  const cacheWriteLong = priceFrom(price['cache_write_1h_mtok'], start)
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(cacheWriteLong === undefined ? {} : { cacheWriteLong }),
  }
}

function priceFrom(price: number | TieredPrices | undefined, start: number | undefined): number | undefined {
  if (price === undefined || typeof price === 'number') return price
  return price.tiers.find((tier) => tier.start === start)?.price ?? price.base
}

function tierStarts(price: ModelPrice): number[] {
  const starts = Object.values(price).flatMap((part) =>
    typeof part === 'object' ? part.tiers.map((tier) => tier.start) : [],
  )
  return [...new Set(starts)].toSorted((a, b) => a - b)
}
