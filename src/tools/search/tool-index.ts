import { compareCodeUnits, perObject } from '../../core/index.ts'
import { fieldIndex } from './field-index.ts'
import { meaningScores } from './meanings.ts'
import type { ToolMeanings } from './meanings.ts'
import { nameGrams } from './name-grams.ts'
import { askedIn, clausesOf, weightsOf } from './query-weights.ts'
import { relatedTerms } from './related-words.ts'
import type { FoundTool, SearchedTool, ToolIndex, ToolIndexOptions, ToolSearchPart } from './searched-tool.ts'
import { liftedByServer, serverGroups } from './server-lift.ts'
import { fieldsOf } from './tool-fields.ts'

const usualLimit = 20

/** What a name counts that stands in the query as a whole, beside the best tool by words. */
const nameShare = 0.2
/** What the best tool of one part of a query counts, beside the best of the whole. */
const clauseShare = 0.4
/** What the nearest tool by meaning counts, beside the best by words. */
const meaningShare = 0.6

/**
 * A catalogue by the words of its tools, their names and, where an embedder is handed in, what they mean. Pure; the order in which tools are
 * given changes nothing. A search costs about what the words of its query occur.
 */
export function toolIndex(
  tools: readonly SearchedTool[],
  { meanings: own, without = [] }: ToolIndexOptions = {},
): ToolIndex {
  const sorted = tools.toSorted((one, other) => compareCodeUnits(one.id, other.id))
  // What is remembered of a search holds no definition.
  const ids = sorted.map(({ id }) => id)
  const byWords = wordScores(sorted, new Set(without))
  const byMeaning = perObject((meanings: ToolMeanings) => meaningScores(ids, meanings))
  if (own !== undefined) byMeaning(own)
  return {
    size: ids.length,
    search(query, { limit = usualLimit, quality = () => 1, vector, meanings = own } = {}) {
      const words = byWords(query)
      const isWordsAlone = meanings === undefined || vector === undefined
      const scores = isWordsAlone ? words : fused(words, byMeaning(meanings)(vector))
      const found: FoundTool[] = []
      for (const [at, id] of ids.entries()) {
        const fit = scores[at] ?? 0
        const score = fit * quality(id)
        if (score > 0) found.push({ id, score, fit })
      }
      return found.toSorted((one, other) => other.score - one.score).slice(0, limit)
    },
  }
}

function wordScores(
  tools: readonly SearchedTool[],
  without: ReadonlySet<ToolSearchPart>,
): (query: string) => Float64Array {
  const index = fieldIndex(tools.map(fieldsOf))
  const grams = nameGrams(tools.map(({ name }) => name))
  const servers = serverGroups(tools)
  const related = (term: string): readonly string[] =>
    without.has('related-words') ? [] : (relatedTerms.get(term) ?? [])
  const scored = (query: string): Float64Array => {
    const scores = index.score(weightsOf(query, index.rarity), related)
    return without.has('name-grams') ? scores : withNames(scores, grams(askedIn(query)))
  }
  return (query) => {
    if (without.has('words')) return new Float64Array(index.size)
    const all = scored(query)
    const scores = without.has('clauses') ? all : withClauses(all, clausesOf(query).map(scored))
    return without.has('servers') ? scores : liftedByServer(scores, servers)
  }
}

/** A question that asks for several things needs a tool for each: what fits one part best rises, however little it has to do with the others. */
function withClauses(scores: Float64Array, clauses: readonly Float64Array[]): Float64Array {
  const highest = new Float64Array(scores.length)
  for (const clause of clauses)
    for (let at = 0; at < clause.length; at += 1) highest[at] = Math.max(highest[at] ?? 0, clause[at] ?? 0)
  const best = most(highest)
  return best === 0 ? scores : sumOf(scores, highest, (clauseShare * most(scores)) / best)
}

function withNames(scores: Float64Array, names: Float64Array): Float64Array {
  const best = most(scores)
  const named = most(names)
  if (named === 0) return scores
  return sumOf(scores, names, (nameShare * (best === 0 ? 1 : best)) / named)
}

/**
 * Words and meaning by their shares of the best, on the scale of words. Reciprocal ranks were tried, and find the first one less often: they forget by
 * how much it is the best.
 */
function fused(words: Float64Array, meanings: Float64Array): Float64Array {
  const best = most(words)
  const nearest = most(meanings)
  if (nearest === 0) return words
  return sumOf(words, meanings, (meaningShare * Math.max(best, nearest)) / nearest)
}

function sumOf(scores: Float64Array, others: Float64Array, share: number): Float64Array {
  const sums = Float64Array.from(scores)
  for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] ?? 0) + share * (others[at] ?? 0)
  return sums
}

function most(scores: Float64Array): number {
  let best = 0
  for (const score of scores) if (score > best) best = score
  return best
}
