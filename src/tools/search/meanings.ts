import { compareCodeUnits, invalidInput, perObject } from '../../core/index.ts'

/** Vectors of tools by an embedder of the host: `embed` is asked before, since rooms of this kind wait for nothing. */
export interface ToolMeanings {
  /** Of length 1 or not, all with as many numbers; a tool may have none. */
  readonly vectors: ReadonlyMap<string, ArrayLike<number>>
}

/** A query and the tools that it is searched among, by one embedder. */
export interface QueryMeaning {
  readonly meanings: ToolMeanings
  readonly vector: ArrayLike<number>
}

/** Cosines of a query with each tool, not below 0; 0 for a tool without a vector. */
export type MeaningScores = (query: ArrayLike<number>) => Float64Array

export function meaningScores(ids: readonly string[], { vectors }: ToolMeanings): MeaningScores {
  const own = ids.map((id) => {
    const vector = vectors.get(id)
    return vector === undefined ? undefined : { vector, length: knownLength(vector) }
  })
  const size = own.find((one) => one !== undefined)?.vector.length ?? 0
  const odd = ids.toSorted(compareCodeUnits).find((id) => (vectors.get(id)?.length ?? size) !== size)
  if (odd !== undefined)
    throw invalidInput(`vectors of ${odd}`, 'has another length than the others', 'Use one embedder for all tools.')
  return (query) => {
    if (size > 0 && query.length !== size)
      throw invalidInput(
        'vector',
        `has ${query.length} numbers, those of tools ${size}`,
        'Use the embedder of the tools.',
      )
    const length = lengthOf(query)
    return Float64Array.from(own, (one) => {
      if (one === undefined || length === 0 || one.length === 0) return 0
      return Math.max(0, product(one.vector, query) / (one.length * length))
    })
  }
}

function product(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

/** The same vectors come again with every search. */
const knownLength = perObject((vector: ArrayLike<number>): number => lengthOf(vector))

function lengthOf(vector: ArrayLike<number>): number {
  return Math.sqrt(product(vector, vector))
}
