/** How soon a place further down counts less (Cormack, Clarke, Büttcher 2009). */
const flatness = 20

/** Reciprocal-rank fusion: what stands high in several rankings, whatever their scales; from 0 to 1. Scores of 0 have no rank. */
export function fusedRanks(rankings: readonly Float64Array[]): Float64Array {
  const size = rankings[0]?.length ?? 0
  const fused = new Float64Array(size)
  for (const scores of rankings)
    for (const [rank, at] of ranked(scores).entries())
      fused[at] = (fused[at] ?? 0) + (flatness + 1) / (flatness + 1 + rank) / rankings.length
  return fused
}

function ranked(scores: Float64Array): readonly number[] {
  return Array.from(scores.keys())
    .filter((at) => (scores[at] ?? 0) > 0)
    .toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other)
}
