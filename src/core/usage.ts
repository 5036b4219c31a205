/** Tokens as a provider billed them, in one form for every dialect. Absent means not reported, never 0. */
export interface Usage {
  /** Everything that was read: uncached + cacheRead + cacheWrite. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  /** The part of `cacheWriteTokens` written for longer than the default time to live. */
  readonly cacheWriteLongTokens?: number
  readonly reasoningTokens?: number
}

export const cacheReadPlaces = ['requests', 'anywhere'] as const
/** Where a cached prefix is found again. */
export type CacheReadPlace = (typeof cacheReadPlaces)[number]

/** What a provider charges for cached prefixes, in multiples of the plain input price. */
export interface CachePrices {
  readonly read: number
  readonly write: number
  /** Shorter prefixes are not cached. */
  readonly minTokens: number
  /** Lifetime of an entry since its last use, in milliseconds. */
  readonly ttlMs: number
  /** Whether a prefix is found only where an earlier request ended, or, as when absent, wherever requests part. */
  readonly readableAt?: CacheReadPlace
  /** Messages before the end of a request in which the end of an earlier one is looked for; all where absent. */
  readonly readableWithin?: number
  /** Tokens of a block where only whole ones are read: on average half of one is lost at the end. One where absent. */
  readonly blockTokens?: number
}
