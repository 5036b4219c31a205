import type { Passage } from './passage.ts'
import type { PassageIndex } from './passage-index.ts'
import { passageIndex, rarityOf } from './passage-index.ts'
import { termsOf } from './terms.ts'

/** Scores of all passages for a question, in their order: 1 for the best, 0 for what has nothing to do with it. */
export type PassageRanker = (query: string) => Float64Array

/** How far around a hit neighbours count, and how much; at 0 the passage itself. */
interface WeightedReach {
  readonly reach: number
  readonly weight: number
}

const alone: readonly WeightedReach[] = [{ reach: 0, weight: 1 }]

/** A remark belongs to what was said just before and after it, to its subject, and to its part of the conversation. */
const inThread: readonly WeightedReach[] = [
  { reach: 0, weight: 1 },
  { reach: 3, weight: 0.5 },
  { reach: 10, weight: 0.5 },
  { reach: 30, weight: 0.5 },
]

/**
 * Ranks passages by the words of a question, without a model: BM25 over stemmed words of each passage and of what stands around it
 * in its thread, near and far; then again with words that the best of them share (pseudo-relevance feedback), and with a preference for
 * speakers that the question names. Pure; the index is made once, and a question costs about what its words occur.
 */
export function passageRanker(passages: readonly Passage[]): PassageRanker {
  const index = passageIndex(passages)
  const speakers = speakersOf(passages)
  const isThreaded = passages.some(({ thread }, at) => thread !== undefined && thread === passages[at + 1]?.thread)
  const reaches = isThreaded ? inThread : alone
  return (query) => {
    const asked = weightsOf(query)
    const first = combined(index, asked, reaches)
    // Of documents, the best are about other things, too: more words find the first one less often.
    const scores = isThreaded ? combined(index, expanded(index, asked, first), reaches) : first
    favourNamed(scores, passages, namedIn(query, speakers))
    return scaled(scores)
  }
}

/** What a question says more than once, it means. */
function weightsOf(query: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of termsOf(query)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** Each reach is measured by its own best passage, so that none outweighs the others by its scale. */
function combined(
  index: PassageIndex,
  terms: ReadonlyMap<string, number>,
  reaches: readonly WeightedReach[],
): Float64Array {
  const sums = new Float64Array(index.size)
  for (const { reach, weight } of reaches) {
    const scores = scaled(index.score(terms, reach))
    for (const [at, score] of scores.entries()) sums[at] = (sums[at] ?? 0) + weight * score
  }
  return sums
}

function scaled(scores: Float64Array): Float64Array {
  const most = scores.reduce((best, score) => Math.max(best, score), 0)
  return most === 0 ? scores : scores.map((score) => score / most)
}

const trustedPassages = 10
const addedTerms = 10
/** Of the best of them, beside a word of the question. */
const addedWeight = 0.3

/** The words of the question, and those that set its best passages apart from the others. */
function expanded(
  index: PassageIndex,
  asked: ReadonlyMap<string, number>,
  scores: Float64Array,
): ReadonlyMap<string, number> {
  const best = Array.from(scores.keys())
    .filter((at) => (scores[at] ?? 0) > 0)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, trustedPassages)
  const gains = new Map<string, number>()
  for (const at of best)
    for (const term of index.vocabularies[at] ?? [])
      if (!asked.has(term))
        gains.set(term, (gains.get(term) ?? 0) + (scores[at] ?? 0) * rarityOf(index.countOf(term), index.size))
  const added = Array.from(gains)
    .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, addedTerms)
  const most = added[0]?.[1] ?? 1
  return new Map([
    ...asked,
    ...added.map(([term, gain]): readonly [string, number] => [term, (addedWeight * gain) / most]),
  ])
}

/** Speakers with the words of their names. */
function speakersOf(passages: readonly Passage[]): ReadonlyMap<string, readonly string[]> {
  const names = new Set(passages.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])))
  return new Map(Array.from(names, (name) => [name, termsOf(name)]))
}

/** Speakers of whose names the question holds every word. */
function namedIn(query: string, speakers: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const said = new Set(termsOf(query))
  const named = Array.from(speakers).filter(([, name]) => name.length > 0 && name.every((word) => said.has(word)))
  return new Set(named.map(([name]) => name))
}

/** How much more a passage is worth whose speaker the question names. */
const namedShare = 0.5

function favourNamed(scores: Float64Array, passages: readonly Passage[], named: ReadonlySet<string>): void {
  if (named.size === 0) return
  for (const [at, { speaker }] of passages.entries())
    if (speaker !== undefined && named.has(speaker)) scores[at] = (scores[at] ?? 0) * (1 + namedShare)
}
