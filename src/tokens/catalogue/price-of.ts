import type { CachePrices, Usage } from '../../core/index.ts'
import type { ModelInfo, PriceList } from './model-info.ts'

/**
 * Dollars for one exchange as its usage tells it; undefined when the model's prices are unknown.
 * Every input token is charged at exactly one rate: read, written short, written long, or plain.
 */
export function priceOf(usage: Usage, info: Pick<ModelInfo, 'prices'>): number | undefined {
  const list = priceListFor(usage.inputTokens, info)
  if (list === undefined) return undefined
  const read = usage.cacheReadTokens ?? 0
  const written = usage.cacheWriteTokens ?? 0
  const writtenLong = usage.cacheWriteLongTokens ?? 0
  const short = list.cacheWrite ?? list.input
  const perMillion =
    (usage.inputTokens - read - written) * list.input +
    read * (list.cacheRead ?? list.input) +
    (written - writtenLong) * short +
    writtenLong * (list.cacheWriteLong ?? short) +
    usage.outputTokens * list.output
  return perMillion / 1_000_000
}

/** What caching costs in multiples of the input price, in the form the compiler takes; undefined without prices or cache. */
export function cachePricesOf(info: Pick<ModelInfo, 'prices' | 'cache'>): CachePrices | undefined {
  const { prices, cache } = info
  const ttlMs = cache.ttlMs[0]
  if (prices === undefined || ttlMs === undefined || prices.input === 0) return undefined
  return {
    read: (prices.cacheRead ?? prices.input) / prices.input,
    write: (prices.cacheWrite ?? prices.input) / prices.input,
    minTokens: cache.minTokens,
    ttlMs,
    ...(cache.kind.endsWith('-breakpoints') ? { readableAt: 'requests' as const } : {}),
    ...(cache.stepTokens > 1 ? { blockTokens: cache.stepTokens } : {}),
    // Anthropic looks so far back from each marker, and where an earlier request ended one is set.
    ...(cache.kind === 'openai-breakpoints' ? { readableWithin: cache.lookback } : {}),
  }
}

/** The prices that hold for a request of this size. */
function priceListFor(inputTokens: number, { prices }: Pick<ModelInfo, 'prices'>): PriceList | undefined {
  const tiers = prices?.tiers?.filter((tier) => inputTokens > tier.aboveInputTokens) ?? []
  return tiers.toSorted((a, b) => b.aboveInputTokens - a.aboveInputTokens)[0] ?? prices
}
