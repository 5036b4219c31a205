/** A share of runs, and where it would lie in 95 of 100 experiments like this one. */
export interface ShareInterval {
  readonly hits: number
  readonly of: number
  readonly share: number
  readonly low: number
  readonly high: number
}

const z = 1.959964

/** The 95% score interval of a share (Wilson 1927). Unlike the usual one it is never empty, not even for 0 of 10. */
export function wilsonShare(hits: number, of: number): ShareInterval | undefined {
  if (of === 0) return undefined
  const share = hits / of
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of)
  const reach = (z / (1 + z ** 2 / of)) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  return { hits, of, share, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) }
}
