import type { Item, RankWeights } from '../../core/index.ts'

/** Gives an item a score in [0, 1]; undefined leaves it to the built-in one. */
export type Scorer = (item: Item) => number | undefined

/** Tokens at which the reward for being small has halved. */
const thriftScale = 256

/**
 * Weighted mean of what is known about an item (P-023, V-023). A score that is not known has no say: absence is not a
 * zero. An item about which nothing is known ranks in the middle.
 */
export function compositeScore(item: Item, tokens: number, weights: RankWeights): number {
  const { scores, provenance } = item
  let sum = 0
  let weight = 0
  const relevance = scores?.relevance ?? provenance?.relevanceScore
  if (relevance !== undefined) {
    sum += weights.relevance * relevance
    weight += weights.relevance
  }
  const authority = scores?.authority ?? provenance?.authorityScore
  if (authority !== undefined) {
    sum += weights.authority * authority
    weight += weights.authority
  }
  if (scores?.freshness !== undefined) {
    sum += weights.freshness * scores.freshness
    weight += weights.freshness
  }
  if (scores?.utility !== undefined) {
    sum += weights.utility * scores.utility
    weight += weights.utility
  }
  if (weight === 0) {
    sum = 0.5
    weight = 1
  }
  sum += (weights.thrift * thriftScale) / (thriftScale + tokens)
  return sum / (weight + weights.thrift)
}
