import { seededRandom } from '../../core/index.ts'

/** A mean of differences, and where it would lie in 95 of 100 samples like this one. */
export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** Differences of what belongs together, such as the questions about one conversation. */
export type Cluster = readonly number[]

const samples = 2000
const seed = 20_261

/**
 * The mean of all differences with a 95% interval: whole clusters are drawn anew, with replacement, since what belongs together is alike. The seed is fixed:
 * the same figures give the same interval. Percentile bootstrap (Efron 1979).
 */
export function bootstrapMean(clusters: readonly Cluster[]): Interval | undefined {
  const all = clusters.flat()
  if (all.length === 0) return undefined
  const sums = clusters.map((cluster) => cluster.reduce((sum, value) => sum + value, 0))
  const random = seededRandom(seed)
  const means = Array.from({ length: samples }, () => {
    let sum = 0
    let size = 0
    for (let drawn = 0; drawn < clusters.length; drawn += 1) {
      const at = Math.floor(random() * clusters.length)
      sum += sums[at] ?? 0
      size += clusters[at]?.length ?? 0
    }
    return size === 0 ? 0 : sum / size
  }).toSorted((a, b) => a - b)
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length
  return { mean, low: means[Math.floor(samples * 0.025)] ?? mean, high: means[Math.ceil(samples * 0.975) - 1] ?? mean }
}
