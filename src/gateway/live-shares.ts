/** What one thread keeps in memory between requests, in bytes. */
export interface LiveShare {
  readonly sessions: number
  /** What its client of the store remembers of what it has written. */
  readonly store: number
}

/** The thread that serves carries small requests only. */
const servingPart = 1 / 4

/** A thread that can keep no session in memory would read each request from its beginning. */
const leastCarryingBytes = 16 * 1024 * 1024

/** The part of `limits.liveBytes` that the thread has which serves, beside so many that carry. */
export function servingBytes(liveBytes: number, threads: number): number {
  return threads === 0 ? liveBytes : Math.ceil(liveBytes * servingPart)
}

/** The part of each thread that carries: an equal one, and never so small that nothing can be kept. */
export function carryingBytes(liveBytes: number, threads: number): number {
  const equal = (liveBytes * (1 - servingPart)) / Math.max(1, threads)
  return Math.ceil(Math.max(equal, Math.min(liveBytes, leastCarryingBytes)))
}

/** A session is remembered twice, as it was read and as it was written, and both are mostly the same texts in memory. */
export function liveShare(bytes: number): LiveShare {
  return { sessions: bytes, store: bytes }
}
