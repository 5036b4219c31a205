import { termsOf } from '../../knowledge/index.ts'

/** Of longer queries the beginning and the end, where people say what they want. */
const mostChars = 8_000
/** Of a long query the words that tell most. */
const mostTerms = 64

/** A query without what stands around it: tags, and the name of a speaker or a field before a line. */
export function askedIn(query: string): string {
  const half = mostChars / 2
  const held = query.length > mostChars ? `${query.slice(0, half)} ${query.slice(-half)}` : query
  return held
    .replaceAll(/<\/?[\w:-]{1,40}>/g, ' ')
    .replaceAll(/^[ \t]*(?:user|human|assistant|system|server|tools?|query|task|question)[ \t]*:/gim, ' ')
}

/** The terms of a query with their weights: what is said more often counts more, and the less the more often it is said. */
export function weightsOf(query: string, rarity: (term: string) => number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of termsOf(askedIn(query))) counts.set(term, (counts.get(term) ?? 0) + 1)
  const weights = Array.from(counts, ([term, count]): readonly [string, number] => [term, Math.sqrt(count)])
  if (weights.length <= mostTerms) return new Map(weights)
  // Equal ones stay in their order: sorting is stable.
  const tells = weights.map((entry) => ({ entry, value: entry[1] * rarity(entry[0]) }))
  return new Map(
    tells
      .toSorted((one, other) => other.value - one.value)
      .slice(0, mostTerms)
      .map(({ entry }) => entry),
  )
}

const mostClauses = 12
const fewestTerms = 2

/** The parts of a query that may ask for tools of their own: sentences, and what stands between commas and conjunctions. None where there is but one. */
export function clausesOf(query: string): readonly string[] {
  const clauses = askedIn(query)
    .split(/(?<=[.!?;:])\s+|\n+|,\s+|\s(?:and|then|also|but)\s/i)
    .filter((clause) => new Set(termsOf(clause)).size >= fewestTerms)
  return clauses.length < 2 ? [] : clauses.slice(0, mostClauses)
}
