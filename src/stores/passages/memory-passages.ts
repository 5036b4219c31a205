import { compareCodeUnits, invalidInput } from '../../core/index.ts'
import { passageRanker } from '../../knowledge/index.ts'
import type { CollectionRef, PassageHit, PassageHits, PassageQuery, Passages, StoredPassage } from './passages.ts'

type Documents = Map<string, readonly StoredPassage[]>

/** Passages of one process, compared one by one: exact, and the measure for indexes that are faster. */
export function memoryPassages(): Passages {
  const collections = new Map<string, Documents>()
  const keyOf = ({ tenant, collection }: CollectionRef): string => JSON.stringify([tenant, collection])
  return {
    async put(at, document, passages) {
      const documents = collections.get(keyOf(at)) ?? new Map<string, readonly StoredPassage[]>()
      requireOneLength(documents, document, passages)
      documents.delete(document)
      if (passages.length > 0) documents.set(document, passages.map(copied))
      collections.set(keyOf(at), documents)
    },
    drop: async (at) => void collections.delete(keyOf(at)),
    search: async (at, query) => found(collections.get(keyOf(at)) ?? new Map(), query),
  }
}

function copied(passage: StoredPassage): StoredPassage {
  return { ...passage, ...(passage.vector && { vector: passage.vector.slice() }) }
}

/** Throws `invalid-input` where vectors could not be compared with each other. */
function requireOneLength(documents: Documents, document: string, passages: readonly StoredPassage[]): void {
  const others = Array.from(documents).flatMap(([name, held]) => (name === document ? [] : held))
  const length = lengthOf([...others, ...passages])
  for (const [index, { vector }] of passages.entries())
    if (vector !== undefined && vector.length !== length)
      throw invalidInput(
        `passages[${index}].vector`,
        `has ${vector.length} dimensions, others of the collection have ${length}`,
        'Embed all documents of a collection with one model.',
      )
}

function lengthOf(passages: readonly StoredPassage[]): number | undefined {
  return passages.find(({ vector }) => vector !== undefined)?.vector?.length
}

type Unscored = Omit<PassageHit, 'score'> & Pick<StoredPassage, 'vector'>

function found(documents: Documents, { words, vector, most, documents: only }: PassageQuery): PassageHits {
  const among: readonly Unscored[] = Array.from(documents)
    .filter(([document]) => only === undefined || only.includes(document))
    .toSorted(([one], [other]) => compareCodeUnits(one, other))
    .flatMap(([document, passages]) =>
      passages
        .toSorted((one, other) => compareCodeUnits(one.id, other.id))
        .map((passage) => ({ ...passage, document })),
    )
  return {
    byWords: words === undefined ? [] : best(among, passageRanker(among)(words), most).filter(({ score }) => score > 0),
    byVector: vector === undefined ? [] : nearest(among, vector, most),
  }
}

function nearest(among: readonly Unscored[], vector: Float32Array, most: number): readonly PassageHit[] {
  const embedded = among.filter((passage) => passage.vector !== undefined)
  const length = lengthOf(embedded)
  if (length !== undefined && length !== vector.length)
    throw invalidInput(
      'query.vector',
      `has ${vector.length} dimensions, those of the collection have ${length}`,
      'Embed the query with the model of the collection.',
    )
  return best(
    embedded,
    embedded.map((passage) => cosine(passage.vector ?? vector, vector)),
    most,
  )
}

/** In the order given where scores are equal. */
function best(among: readonly Unscored[], scores: ArrayLike<number>, most: number): readonly PassageHit[] {
  return among
    .map(({ document, id, text }, at) => ({ document, id, text, score: scores[at] ?? 0 }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
}

/** 0 where one of them has no direction. */
function cosine(one: Float32Array, other: Float32Array): number {
  let dot = 0
  let ones = 0
  let others = 0
  for (const [at, value] of one.entries()) {
    const beside = other[at] ?? 0
    dot += value * beside
    ones += value * value
    others += beside * beside
  }
  return ones === 0 || others === 0 ? 0 : dot / Math.sqrt(ones * others)
}
