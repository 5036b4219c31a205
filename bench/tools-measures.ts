/** How well a ranking finds what a query needs. */
export interface Recall {
  readonly queries: number
  readonly at1: number
  readonly at5: number
  readonly at10: number
  readonly at20: number
  /** Share of the queries for which all that is needed stands among the first ten. */
  readonly all10: number
  readonly ndcg10: number
}

export interface RankedQuery {
  readonly ranked: readonly string[]
  /** One list of ids for each needed tool: any of them is right. */
  readonly gold: readonly (readonly string[])[]
}

/** Means over queries. */
export function recallOf(queries: readonly RankedQuery[]): Recall {
  const mean = (figure: (query: RankedQuery) => number): number =>
    queries.reduce((sum, query) => sum + figure(query), 0) / (queries.length || 1)
  return {
    queries: queries.length,
    at1: mean((query) => recallAt(query, 1)),
    at5: mean((query) => recallAt(query, 5)),
    at10: mean((query) => recallAt(query, 10)),
    at20: mean((query) => recallAt(query, 20)),
    all10: mean((query) => (recallAt(query, 10) === 1 ? 1 : 0)),
    ndcg10: mean((query) => ndcgAt(query, 10)),
  }
}

function recallAt({ ranked, gold }: RankedQuery, count: number): number {
  const first = new Set(ranked.slice(0, count))
  return gold.filter((ids) => ids.some((id) => first.has(id))).length / gold.length
}

/** Each needed tool counts once, at the first of its ids. */
function ndcgAt({ ranked, gold }: RankedQuery, count: number): number {
  const ranks = gold.map((ids) => Math.min(...ids.map((id) => rankOf(ranked, id))))
  const gain = ranks.reduce((sum, rank) => sum + (rank < count ? 1 / Math.log2(rank + 2) : 0), 0)
  const best = gold.slice(0, count).reduce((sum, _, rank) => sum + 1 / Math.log2(rank + 2), 0)
  return gain / best
}

function rankOf(ranked: readonly string[], id: string): number {
  const rank = ranked.indexOf(id)
  return rank < 0 ? Number.POSITIVE_INFINITY : rank
}

/** How likely a positive has the higher figure than a negative; equal ones count half. */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number {
  const sorted = negatives.toSorted((one, other) => one - other)
  const below = (value: number, isIncluded: boolean): number => {
    let from = 0
    let to = sorted.length
    while (from < to) {
      const middle = (from + to) >> 1
      const here = sorted[middle] ?? 0
      if (here < value || (isIncluded && here === value)) from = middle + 1
      else to = middle
    }
    return from
  }
  const won = positives.reduce((sum, value) => sum + (below(value, false) + below(value, true)) / 2, 0)
  return won / (positives.length * negatives.length || 1)
}
