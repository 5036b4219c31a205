import type { Usage } from '../../core/index.ts'
import type { CacheFind } from '../../providers/breakpoints/index.ts'
import type { CacheKind } from '../../tokens/index.ts'
import type { PlannedTokens } from './planned-tokens.ts'

export interface FromReport {
  readonly planned: PlannedTokens
  /** The provider's count of a token over ours. */
  readonly scale: number
  /** Of the model that has answered. */
  readonly kind: CacheKind
}

/**
 * What the provider would have reported for the client's own request, from what it would have for the same request with our marks.
 * No more is read than would have been with them: a miss that is the provider's is the client's, too.
 */
export function clientUsage(everything: Usage, { planned: { viewed }, scale, kind }: FromReport): Usage {
  if (!viewed || viewed.kind !== kind || isSame(viewed.client, viewed.everything)) return everything
  const { inputTokens, cacheReadTokens: most } = everything
  if (most === undefined) return everything
  const { read, written, writtenLong } = viewed.client
  return cachedTo(everything, {
    total: inputTokens,
    read: Math.min(most, scale * read),
    written: scale * written,
    writtenLong: scale * writtenLong,
  })
}

/** What the provider would have reported in mode `on`, and had all been sent with our marks, from what it has for the client's request. */
export function usageIfOn(
  reported: Usage,
  { planned: { viewed, sent, passThrough }, scale, kind }: FromReport,
): { readonly packed: Usage; readonly everything: Usage } {
  const total = Math.max(0, reported.inputTokens + scale * (sent.tokens - passThrough.tokens))
  if (!viewed || viewed.kind !== kind || reported.cacheReadTokens === undefined) {
    const packed = cachedTo(reported, { total, read: reported.cacheReadTokens ?? 0, written: 0, writtenLong: 0 })
    return { packed, everything: reported }
  }
  const { client } = viewed
  return {
    packed: cachedTo(reported, { total, ...moved(reported, { from: client, to: viewed.packed, scale }) }),
    everything: isSame(client, viewed.everything)
      ? reported
      : cachedTo(reported, {
          total: reported.inputTokens,
          ...moved(reported, { from: client, to: viewed.everything, scale }),
        }),
  }
}

function isSame(one: CacheFind, other: CacheFind): boolean {
  return one.read === other.read && one.written === other.written && one.writtenLong === other.writtenLong
}

interface Move {
  readonly from: CacheFind
  readonly to: CacheFind
  readonly scale: number
}

/** As far from what was reported as the two simulations are from each other. */
function moved(
  { cacheReadTokens: read = 0, cacheWriteTokens: write = 0, cacheWriteLongTokens: long = 0 }: Usage,
  { from, to, scale }: Move,
): CacheFind {
  const longEnd = long > 0 ? read + long : Math.min(read, scale * from.writtenLong)
  return {
    read: read + scale * (to.read - from.read),
    written: read + write + scale * (to.written - from.written),
    writtenLong: longEnd + scale * (to.writtenLong - from.writtenLong),
  }
}

interface Cached extends CacheFind {
  readonly total: number
}

/** A usage with so much in the cache, as far as its provider reports that. */
function cachedTo(usage: Usage, { total: all, read: found, written, writtenLong }: Cached): Usage {
  const { outputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteLongTokens } = usage
  const total = Math.round(all)
  const upTo = (tokens: number, least: number): number => Math.min(total, Math.max(least, Math.round(tokens)))
  const read = upTo(found, 0)
  const end = upTo(written, read)
  return {
    inputTokens: total,
    outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens: read }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens: end - read }),
    ...(cacheWriteLongTokens !== undefined && { cacheWriteLongTokens: Math.min(end, upTo(writtenLong, read)) - read }),
  }
}
