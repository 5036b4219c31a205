import type { CacheChange, CacheRequest, CacheBehaviour, CacheState } from './rules.ts'
import { isAlive, isReadable } from './rules.ts'
import { prefixesOf, totalTokens } from './prefixes.ts'
import type { Prefix } from './prefixes.ts'
import { refreshed, written } from './entries.ts'
import { billOf } from './bill.ts'

export interface DeepseekCacheOptions {
  /** Hits are rounded down to this many tokens, and the block with the last token is always computed. */
  readonly stepTokens?: number
  readonly defaultTtlMs?: number
  /** A unit is also kept whenever the prefix passes a multiple of this many tokens; 0 for never. */
  readonly intervalTokens?: number
}

/**
 * Units on disk, each hit only as a whole: the end of the input, the end of the answer, what two requests were seen to
 * share, and one at every interval of a long input.
 */
export function deepseekCache(options: DeepseekCacheOptions = {}): CacheBehaviour {
  const { stepTokens = 128, defaultTtlMs = 7_200_000, intervalTokens = 8192 } = options
  return (state, request) => {
    const prefixes = prefixesOf(request.key, request.blocks)
    const total = totalTokens(prefixes)
    const hit = prefixes.findLast((prefix) => isReadable(state.get(prefix.hash), request.nowMs))
    const hitTokens = Math.min(floorTo(hit?.tokens ?? 0, stepTokens), floorTo(Math.max(0, total - 1), stepTokens))
    const entry = hit && state.get(hit.hash)
    return {
      bill: billOf({ totalTokens: total, hitTokens, marks: [], defaultTtlMs }),
      refreshed: hit && entry ? [refreshed(hit, entry, request.nowMs)] : [],
      written: writes({ state, request, prefixes, ttlMs: defaultTtlMs, intervalTokens }),
    }
  }
}

interface WriteInput {
  readonly state: CacheState
  readonly request: CacheRequest
  readonly prefixes: readonly Prefix[]
  readonly ttlMs: number
  readonly intervalTokens: number
}

function writes({ state, request, prefixes, ttlMs, intervalTokens }: WriteInput): readonly CacheChange[] {
  const replied = prefixesOf(request.key, [...request.blocks, ...(request.reply ?? [])])
  const units = new Set<string | undefined>([
    prefixes.at(-1)?.hash,
    replied.at(-1)?.hash,
    sharedWithEarlier(state, prefixes, request.nowMs)?.hash,
    ...intervalEnds(prefixes, intervalTokens).map((prefix) => prefix.hash),
  ])
  return replied
    .filter((prefix) => !isReadable(state.get(prefix.hash), request.nowMs))
    .map((prefix) => {
      const change = written(prefix, ttlMs, request.nowMs)
      return units.has(prefix.hash) ? change : { ...change, entry: { ...change.entry, kept: false } }
    })
}

function sharedWithEarlier(state: CacheState, prefixes: readonly Prefix[], nowMs: number): Prefix | undefined {
  const firstNew = prefixes.findIndex((prefix) => {
    const entry = state.get(prefix.hash)
    return entry === undefined || !isAlive(entry, nowMs)
  })
  return firstNew > 0 ? prefixes[firstNew - 1] : undefined
}

function intervalEnds(prefixes: readonly Prefix[], intervalTokens: number): readonly Prefix[] {
  if (intervalTokens <= 0) return []
  return prefixes.filter((prefix) => {
    const before = prefix.tokens - prefix.block.tokens
    return Math.floor(prefix.tokens / intervalTokens) > Math.floor(before / intervalTokens)
  })
}

function floorTo(tokens: number, step: number): number {
  return tokens - (tokens % step)
}
