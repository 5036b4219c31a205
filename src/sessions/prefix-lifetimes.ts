import type { WireExchange, Item } from '../core/index.ts'
import { sha256, PassingMap } from '../host/index.ts'
import { longerPays, usedAgain } from '../providers/breakpoints/index.ts'
import type { LifetimePrices, PrefixUses } from '../providers/breakpoints/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import { openingItems } from './opening-items.ts'

export interface PrefixUse {
  readonly tenant: string
  /** With everything put back that is ours. */
  readonly restored: WireExchange
  readonly info: ModelInfo
  /** Under which the items are known. */
  readonly keysOf: (items: readonly Item[]) => readonly string[]
  readonly nowMs: number
}

/** How long the tools and instructions that sessions share are to stay in their provider's cache, by how often they are asked for. */
export interface PrefixLifetimes {
  /** Notes a use; undefined for the shortest lifetime on offer. */
  ttlMs(use: PrefixUse): number | undefined
}

const mostPrefixes = 1000

export function prefixLifetimes(): PrefixLifetimes {
  const known = new PassingMap<string, PrefixUses>()
  return {
    ttlMs({ tenant, restored, info, keysOf, nowMs }) {
      const prices = lifetimePricesOf(info)
      const shared = prices && openingItems(restored.conversation.items)
      if (!prices || !shared || shared.length === 0) return undefined
      const key = sha256([tenant, info.id, ...keysOf(shared)].join('\n'))
      const uses = usedAgain(known.get(key), nowMs, prices)
      known.delete(key)
      known.set(key, uses)
      for (const oldest of known.keys()) {
        if (known.size <= mostPrefixes) break
        known.delete(oldest)
      }
      return longerPays(uses, prices) ? prices.longMs : undefined
    },
  }
}

/** Undefined where a provider has one lifetime, takes the same for all, or lets nobody choose for a part. */
function lifetimePricesOf({ prices, cache }: ModelInfo): LifetimePrices | undefined {
  const [shortMs, longMs] = cache.ttlMs
  if (
    cache.kind !== 'anthropic-breakpoints' ||
    !prices ||
    shortMs === undefined ||
    longMs === undefined ||
    prices.cacheWriteLong === undefined
  )
    return undefined
  const { input, cacheRead = input, cacheWrite = input, cacheWriteLong } = prices
  if (input === 0 || cacheWriteLong <= cacheWrite) return undefined
  return { read: cacheRead / input, write: cacheWrite / input, writeLong: cacheWriteLong / input, shortMs, longMs }
}
