import type { CacheBill } from './rules.ts'

/** A position at which an entry is kept. */
interface Mark {
  readonly tokens: number
  readonly ttlMs: number
}

interface BillInput {
  readonly totalTokens: number
  /** Tokens at the longest prefix that was found. */
  readonly hitTokens: number
  readonly marks: readonly Mark[]
  readonly defaultTtlMs: number
}

/**
 * Tokens up to the hit are read; from there to the last long-lived marker they are written long, from there to
 * the last marker written for the default lifetime; the rest is plain input.
 */
export function billOf({ totalTokens, hitTokens, marks, defaultTtlMs }: BillInput): CacheBill {
  const long = highest(marks.filter((mark) => mark.ttlMs > defaultTtlMs))
  const longEnd = Math.max(hitTokens, long)
  const writeEnd = Math.max(longEnd, highest(marks))
  return {
    read: hitTokens,
    writeLong: longEnd - hitTokens,
    write: writeEnd - longEnd,
    plain: totalTokens - writeEnd,
  }
}

function highest(marks: readonly Mark[]): number {
  return marks.reduce((tokens, mark) => Math.max(tokens, mark.tokens), 0)
}
