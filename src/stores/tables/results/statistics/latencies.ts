/**
 * Durations counted in fixed buckets that grow by a fourth root of two (19%): counts of any two spans of time can be added. Bucket 0 holds
 * what took up to a tenth of a millisecond, the last one all that took more than five and a half seconds.
 */
export type Latencies = readonly number[]

const leastMs = 0.1
const perOctave = 4
const buckets = 64

/** The bucket of a duration. */
function latencyBucket(ms: number): number {
  if (!(ms > leastMs)) return 0
  return Math.min(buckets - 1, Math.ceil(Math.log2(ms / leastMs) * perOctave))
}

/** The counts of one duration alone. */
export function oneLatency(ms: number): Latencies {
  const counts = Array.from({ length: latencyBucket(ms) + 1 }, () => 0)
  counts[counts.length - 1] = 1
  return counts
}

/** The upper bound of the bucket that a share of the durations lies in or below, in milliseconds; undefined where there are none. */
export function latencyAt(counts: Latencies, share: number): number | undefined {
  const all = counts.reduce((total, count) => total + count, 0)
  if (all === 0) return undefined
  let left = Math.max(1, Math.ceil(all * share))
  const bucket = counts.findIndex((count) => (left -= count) <= 0)
  return Math.round(leastMs * 2 ** (bucket / perOctave) * 100) / 100
}
