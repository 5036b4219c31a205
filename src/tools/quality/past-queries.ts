import { termsOf } from '../../knowledge/index.ts'

const mostQueries = 24
const mostChars = 600
const fewestTerms = 2
/** Share of common words from which on two queries are one. */
const alike = 0.8

/**
 * The past queries of a tool with one more, the newest first. A query that says the same as an older one takes its place. Where there are too many,
 * the one goes that newer ones resemble most, and of equal ones the oldest. A query of fewer than two words tells nothing and is left out.
 */
export function withQuery(queries: readonly string[], query: string): readonly string[] {
  const added = query.trim().slice(0, mostChars).trim().toWellFormed()
  const terms = new Set(termsOf(added))
  if (terms.size < fewestTerms) return queries
  const others = queries.filter((one) => likeness(new Set(termsOf(one)), terms) < alike)
  const all = [added, ...others]
  return all.length <= mostQueries ? all : all.toSpliced(leastDistinctive(all), 1)
}

function leastDistinctive(queries: readonly string[]): number {
  const terms = queries.map((query) => new Set(termsOf(query)))
  let least = queries.length - 1
  let most = -1
  for (const [at, own] of terms.entries()) {
    const nearest = Math.max(0, ...terms.slice(0, at).map((newer) => likeness(newer, own)))
    if (at > 0 && nearest >= most) {
      most = nearest
      least = at
    }
  }
  return least
}

/** Jaccard's coefficient. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = Array.from(one).filter((term) => other.has(term)).length
  return common / (one.size + other.size - common || 1)
}
