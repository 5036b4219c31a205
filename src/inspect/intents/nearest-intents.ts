import { passageIndex, passageRanker } from '../../knowledge/index.ts'
import { bestOf } from '../labelled/pack-passages.ts'
import { plainTerms } from '../labelled/naive-packs.ts'
import type { LabelledIntent } from './read-intents.ts'

/** The intents that are nearest to a request, best first. */
export interface NearestIntents {
  readonly intents: readonly string[]
  /** From 0 to 1: how far the nearest examples agree on the first intent, times the share of the request's words that they know. */
  readonly confidence: number
}

/** Finds them; `without` is the index of an example that does not count, so that an example can be asked about itself. */
export type FindIntents = (text: string, without?: number) => NearestIntents

/** Scores every example for a request. */
type Scorer = (text: string) => Float64Array

export const intentMethods = ['prehend', 'bm25'] as const
export type IntentMethod = (typeof intentMethods)[number]

/** Examples that vote, each with its score. */
const voters = 10

/** The nearest examples by our ranking, or by plain BM25, vote for their intents. */
export function nearestIntents(examples: readonly LabelledIntent[], method: IntentMethod): FindIntents {
  const passages = examples.map(({ text }) => ({ text }))
  const plain = passageIndex(passages, plainTerms)
  const scorers: Readonly<Record<IntentMethod, () => Scorer>> = {
    prehend: () => passageRanker(passages),
    bm25: () => (text) => plain.score(new Map(plainTerms(text).map((term) => [term, 1])), 0),
  }
  const scoresFor = scorers[method]()
  const weightOf = (term: string): number => Math.log(1 + plain.size / (1 + plain.countOf(term)))
  return (text, without) => {
    const scores = scoresFor(text)
    if (without !== undefined) scores[without] = 0
    const found = bestOf(scores, voters)
    const votes = new Map<string, number>()
    for (const at of found) {
      const intent = examples[at]?.intent ?? ''
      votes.set(intent, (votes.get(intent) ?? 0) + (scores[at] ?? 0))
    }
    const ordered = [...votes].toSorted(([, one], [, other]) => other - one)
    const all = ordered.reduce((sum, [, vote]) => sum + vote, 0)
    const agreement = all === 0 ? 0 : (ordered[0]?.[1] ?? 0) / all
    const known = knownShare(plainTerms(text), new Set(found.flatMap((at) => plain.vocabularies[at] ?? [])), weightOf)
    return { intents: ordered.map(([intent]) => intent), confidence: agreement * known }
  }
}

/** Rare words weigh more. */
function knownShare(terms: readonly string[], known: ReadonlySet<string>, weightOf: (term: string) => number): number {
  const weights = terms.map((term) => ({ weight: weightOf(term), isKnown: known.has(term) }))
  const all = weights.reduce((sum, { weight }) => sum + weight, 0)
  return all === 0 ? 0 : weights.reduce((sum, { weight, isKnown }) => sum + (isKnown ? weight : 0), 0) / all
}
