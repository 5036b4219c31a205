import { compareCodeUnits } from '../../core/index.ts'
import { passageRanker } from '../../knowledge/index.ts'
import { checkDimensions, lengthOf } from './check-passages.ts'
import type { PassageHit, PassageQuery, StoredPassage } from './passages.ts'

/** The passages of a collection, to be searched in this process. */
export interface CollectionIndex {
  byWords(query: PassageQuery): readonly PassageHit[]
  /** Compares the query with every vector, so that no hit is missed. */
  byVector(query: PassageQuery): readonly PassageHit[]
}

interface IndexedPassage extends StoredPassage {
  readonly document: string
}

/** The index is made once; the one of its words when it is first asked for. */
export function collectionIndex(documents: ReadonlyMap<string, readonly StoredPassage[]>): CollectionIndex {
  const all: readonly IndexedPassage[] = Array.from(documents)
    .toSorted(([one], [other]) => compareCodeUnits(one, other))
    .flatMap(([document, passages]) =>
      passages
        .toSorted((one, other) => compareCodeUnits(one.id, other.id))
        .map((passage) => ({ ...passage, document })),
    )
  const within = (only: readonly string[] | undefined): readonly IndexedPassage[] => {
    if (only === undefined) return all
    const names = new Set(only)
    return all.filter(({ document }) => names.has(document))
  }
  let ranker: ReturnType<typeof passageRanker> | undefined
  return {
    byWords({ words, most, documents: only }) {
      if (words === undefined) return []
      const among = within(only)
      const rank = among === all ? (ranker ??= passageRanker(all)) : passageRanker(among)
      return best(among, rank(words), most).filter(({ score }) => score > 0)
    },
    byVector({ vector, most, documents: only }) {
      if (vector === undefined) return []
      const embedded = within(only).filter((passage) => passage.vector !== undefined)
      checkDimensions(vector, lengthOf(embedded))
      const scores = embedded.map((passage) => cosine(passage.vector ?? vector, vector))
      return best(embedded, scores, most)
    },
  }
}

/** In the order given where scores are equal. */
function best(among: readonly IndexedPassage[], scores: ArrayLike<number>, most: number): readonly PassageHit[] {
  return Array.from(among.keys())
    .toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))
    .slice(0, most)
    .flatMap((at) => {
      const passage = among[at]
      if (passage === undefined) return []
      const { document, id, text } = passage
      return [{ document, id, text, score: scores[at] ?? 0 }]
    })
}

/** 0 where one of them has no direction. */
function cosine(one: Float32Array, other: Float32Array): number {
  let dot = 0
  let ones = 0
  let others = 0
  for (let at = 0; at < one.length; at += 1) {
    const value = one[at] ?? 0
    const beside = other[at] ?? 0
    dot += value * beside
    ones += value * value
    others += beside * beside
  }
  if (ones === 0 || others === 0) return 0
  return Math.max(-1, Math.min(1, dot / Math.sqrt(ones * others)))
}
