import type { CacheBehaviour, CacheState } from './rules.ts'
import { isReadable } from './rules.ts'
import { keepAt, refreshed } from './entries.ts'
import { prefixesOf, totalTokens } from './prefixes.ts'
import type { Prefix } from './prefixes.ts'
import { billOf } from './bill.ts'

export interface AnthropicCacheOptions {
  /** Shorter prefixes are not cached; depends on the model. */
  readonly minTokens?: number
  /** Positions looked at from a breakpoint backwards, its own included. */
  readonly lookbackBlocks?: number
  readonly defaultTtlMs?: number
}

/** One entry per breakpoint; a read walks back a limited number of blocks from each breakpoint, the last one first. */
export function anthropicCache(options: AnthropicCacheOptions = {}): CacheBehaviour {
  const { minTokens = 1024, lookbackBlocks = 20, defaultTtlMs = 300_000 } = options
  return (state, request) => {
    const prefixes = prefixesOf(request.key, request.blocks)
    const marks = prefixes.flatMap((prefix, position) => {
      const ttlMs = prefix.block.breakpointTtlMs
      return ttlMs === undefined || prefix.tokens < minTokens
        ? []
        : [{ prefix, position, ttlMs, tokens: prefix.tokens }]
    })
    const positions = marks.map((mark) => mark.position)
    const hit = findHit({ state, prefixes, positions, lookbackBlocks, nowMs: request.nowMs })
    const kept = keepAt(state, request, marks)
    return {
      bill: billOf({ totalTokens: totalTokens(prefixes), hitTokens: hit?.prefix.tokens ?? 0, marks, defaultTtlMs }),
      refreshed: [...(hit === undefined ? [] : [refreshed(hit.prefix, hit.entry, request.nowMs)]), ...kept.refreshed],
      written: kept.written,
    }
  }
}

interface Search {
  readonly state: CacheState
  readonly prefixes: readonly Prefix[]
  readonly positions: readonly number[]
  readonly lookbackBlocks: number
  readonly nowMs: number
}

function findHit({ state, prefixes, positions, lookbackBlocks, nowMs }: Search) {
  for (const position of positions.toReversed()) {
    const reach = prefixes.slice(Math.max(0, position - lookbackBlocks + 1), position + 1)
    for (const prefix of reach.toReversed()) {
      const entry = state.get(prefix.hash)
      if (isReadable(entry, nowMs)) return { prefix, entry }
    }
  }
  return undefined
}
