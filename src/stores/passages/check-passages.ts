import { invalidInput } from '../../core/index.ts'
import type { PassageQuery, StoredPassage } from './passages.ts'

/**
 * Throws `invalid-input` where an id stands twice, or where vectors could not be compared with each other; `dimensions` is the length of
 * those of the collection's other documents, if there are any.
 */
export function checkPassages(passages: readonly StoredPassage[], dimensions?: number): void {
  const length = dimensions ?? lengthOf(passages)
  const ids = new Set<string>()
  for (const [index, { id, vector }] of passages.entries()) {
    if (ids.has(id))
      throw invalidInput(`passages[${index}].id`, 'stands twice', 'Give each passage of a document an id of its own.')
    ids.add(id)
    if (vector === undefined) continue
    const field = `passages[${index}].vector`
    checkValues(field, vector)
    if (vector.length !== length)
      throw invalidInput(
        field,
        `has ${vector.length} dimensions, others of the collection have ${length}`,
        'Embed all documents of a collection with one model.',
      )
  }
}

export function checkQuery({ vector }: PassageQuery): void {
  if (vector !== undefined) checkValues('query.vector', vector)
}

/** Throws `invalid-input` where a query has another length than the vectors that it is compared with. */
export function checkDimensions(vector: Float32Array, dimensions: number | undefined): void {
  if (dimensions === undefined || dimensions === vector.length) return
  throw invalidInput(
    'query.vector',
    `has ${vector.length} dimensions, those of the collection have ${dimensions}`,
    'Embed the query with the model of the collection.',
  )
}

export function lengthOf(passages: readonly Pick<StoredPassage, 'vector'>[]): number | undefined {
  return passages.find(({ vector }) => vector !== undefined)?.vector?.length
}

function checkValues(field: string, vector: Float32Array): void {
  if (vector.length === 0) throw invalidInput(field, 'is empty', 'Leave it out, or give what the model gave.')
  if (!vector.every((value) => Number.isFinite(value)))
    throw invalidInput(field, 'holds a value that is not finite', 'Look at what the embedding model gave.')
}
