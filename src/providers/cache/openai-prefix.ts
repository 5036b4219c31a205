import type { CacheEntry, CacheBehaviour, CacheState } from './rules.ts'
import { isReadable } from './rules.ts'
import { prefixesOf, totalTokens } from './prefixes.ts'
import type { Prefix } from './prefixes.ts'
import { refreshed, written } from './entries.ts'
import { billOf } from './bill.ts'

export interface OpenaiPrefixOptions {
  readonly minTokens?: number
  /** Hits are rounded down to this many tokens. */
  readonly stepTokens?: number
  /** Lifetime since the last use. */
  readonly defaultTtlMs?: number
  /** Lifetime since the prefix was first seen. */
  readonly maxAgeMs?: number
}

/** Models before GPT-5.6: every prefix is cached for free, the longest common one is read, in steps. */
export function openaiPrefixCache(options: OpenaiPrefixOptions = {}): CacheBehaviour {
  const { minTokens = 1024, stepTokens = 128, defaultTtlMs = 300_000, maxAgeMs = 3_600_000 } = options
  return (state, request) => {
    const { nowMs, ttlMs = defaultTtlMs } = request
    const prefixes = prefixesOf(request.key, request.blocks)
    const total = totalTokens(prefixes)
    const shared = sharedPrefixes({ state, prefixes, nowMs, maxAgeMs: Math.max(maxAgeMs, ttlMs) })
    const sharedTokens = shared.at(-1)?.prefix.tokens ?? 0
    const hitTokens = sharedTokens < minTokens ? 0 : sharedTokens - (sharedTokens % stepTokens)
    return {
      bill: billOf({ totalTokens: total, hitTokens, marks: [], defaultTtlMs: ttlMs }),
      refreshed: shared.map(({ prefix, entry }) => refreshed(prefix, entry, nowMs)),
      written: total < minTokens ? [] : prefixes.slice(shared.length).map((prefix) => written(prefix, ttlMs, nowMs)),
    }
  }
}

interface Search {
  readonly state: CacheState
  readonly prefixes: readonly Prefix[]
  readonly nowMs: number
  readonly maxAgeMs: number
}

function sharedPrefixes({ state, prefixes, nowMs, maxAgeMs }: Search) {
  const shared: { readonly prefix: Prefix; readonly entry: CacheEntry }[] = []
  for (const prefix of prefixes) {
    const entry = state.get(prefix.hash)
    if (!isReadable(entry, nowMs) || nowMs - entry.createdMs > maxAgeMs) break
    shared.push({ prefix, entry })
  }
  return shared
}
