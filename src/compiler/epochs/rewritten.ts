interface Rewrite {
  /** What the items take as they are then shown, and what of them can still be read from the cache. */
  readonly itemTokens: number
  readonly readTokens: number
  readonly overheadTokens: number
  /** What the tool that follows handles takes, where the request is the first that offers it. */
  readonly offerTokens: number | undefined
}

/**
 * What a request takes that is written anew from an item on, and what of it is read from the cache. The tool that follows handles stands
 * before everything else: where it comes in, nothing is read.
 */
export function rewritten({ itemTokens, readTokens, overheadTokens, offerTokens }: Rewrite): {
  readonly total: number
  readonly read: number
} {
  const total = itemTokens + overheadTokens
  return offerTokens === undefined
    ? { total, read: readTokens + overheadTokens }
    : { total: total + offerTokens, read: 0 }
}
