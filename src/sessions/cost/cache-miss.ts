import type { Usage } from '../../core/index.ts'
import type { CacheMiss } from '../../stores/index.ts'
import { wholeUsd } from '../../stores/index.ts'
import { priceOf } from '../../tokens/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import type { PlannedTokens } from './planned-tokens.ts'

export interface ReadRequest {
  readonly planned: PlannedTokens
  /** As the provider has reported it. */
  readonly usage: Usage
  readonly info: ModelInfo
  /** Whether the request before went to another model. */
  readonly isOtherModel: boolean
}

/** Providers cache in steps, and leave out a little at the end; less than this is no miss. */
const leastTokens = 256
const leastShare = 0.1

/** How much of what may be read has to be, for the rest to be somebody's doing. */
const wellRead = 0.8

/**
 * Why less was read from the cache than the request before had sent, and the tokens that were read anew for it; undefined where it was not, or
 * where nobody says. Tokens that this request no longer sends were not read at all.
 */
export function cacheMiss({ planned, usage, info, isOtherModel }: ReadRequest): CacheMiss | undefined {
  const { before, stood, sent, changed, isWarm } = planned
  const { cacheReadTokens: read } = usage
  if (read === undefined || before === 0) return undefined
  // Ours and the provider's tokens are not the same.
  const scale = sent.tokens > 0 ? usage.inputTokens / sent.tokens : 1
  const cacheable = Math.min(before, changed?.by === 'gateway' ? stood : sent.tokens) * scale
  const tokens = Math.round(cacheable - read)
  if (tokens < Math.max(leastTokens, leastShare * cacheable)) return undefined
  const told = { tokens, ...dearer(tokens, usage, info) }
  if (isOtherModel) return { cause: 'other-model', ...told }
  if (before * scale < info.cache.minTokens) return { cause: 'too-short', ...told }
  if (!isWarm) return { cause: 'expired', ...told }
  const readable = sent.again * scale
  const isReadSoFar = readable < info.cache.minTokens || read >= wellRead * readable
  if (changed && isReadSoFar) return { cause: 'changed', changed, ...told }
  return { cause: 'evicted', ...told }
}

/** What tokens cost beyond what they would have cost from the cache. */
function dearer(tokens: number, { cacheWriteTokens = 0 }: Usage, info: ModelInfo): { readonly usd?: number } {
  const fresh = { inputTokens: tokens, outputTokens: 0 }
  const usd = priceOf({ ...fresh, cacheWriteTokens: Math.min(tokens, cacheWriteTokens) }, info)
  const cached = priceOf({ ...fresh, cacheReadTokens: tokens }, info)
  return usd === undefined || cached === undefined ? {} : { usd: wholeUsd(usd - cached) }
}
