/** Where the documents of a question stand in a ranking. */
export const rankingNames = ['R@1', 'R@10', 'R@20', 'R@50', 'R@100', 'nDCG@10'] as const
export type RankingName = (typeof rankingNames)[number]
export type RankingFigures = Readonly<Record<RankingName, number>>

/** Recall at five depths and nDCG at ten, of places in their order. */
export function rankingFigures(ranked: readonly number[], gold: ReadonlySet<number>): RankingFigures {
  const recallAt = (depth: number): number =>
    ranked.slice(0, depth).filter((at) => gold.has(at)).length / Math.max(1, gold.size)
  return {
    'R@1': recallAt(1),
    'R@10': recallAt(10),
    'R@20': recallAt(20),
    'R@50': recallAt(50),
    'R@100': recallAt(100),
    'nDCG@10':
      gainOf(ranked.slice(0, 10).map((at) => gold.has(at))) /
      gainOf(Array.from({ length: Math.min(10, gold.size) }, () => true)),
  }
}

function gainOf(hits: readonly boolean[]): number {
  return hits.reduce((sum, hit, place) => sum + (hit ? 1 / Math.log2(place + 2) : 0), 0)
}
