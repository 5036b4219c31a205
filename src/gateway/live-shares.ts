/*
 * What each thread may keep of sessions in memory between requests, in bytes. A session is remembered twice, as it was read and by the thread's client
 * of the store as it was written, and each may take as much: both are mostly the same texts.
 */

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
