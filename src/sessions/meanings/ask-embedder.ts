import { PrehendError } from '../../core/index.ts'
import type { TextEmbedder } from '../../knowledge/index.ts'
import { withinDeadline } from '../within-deadline.ts'

/** More numbers than any embedder gives. */
const mostDimensions = 16_384

/** Vectors of texts, in their order. Rejects where they are late, or are not one of numbers for each text, all of one length. */
export async function askEmbedder(
  embedder: TextEmbedder,
  texts: readonly string[],
  limitMs: number,
): Promise<readonly Float32Array[]> {
  const given: unknown = await withinDeadline(Promise.resolve(embedder.embed(texts)), limitMs)
  if (!Array.isArray(given) || given.length !== texts.length)
    throw broken(`gave ${Array.isArray(given) ? given.length : 'no'} vectors for ${texts.length} texts`)
  const vectors = given.map((one: ArrayLike<number>) => Float32Array.from(one))
  const dimensions = vectors[0]?.length ?? 0
  if (dimensions === 0 || dimensions > mostDimensions || vectors.some(({ length }) => length !== dimensions))
    throw broken('gave vectors that are empty, too long or of different lengths')
  if (!vectors.every(isVector)) throw broken('gave a vector with a value that is no number, or with zeros alone')
  return vectors
}

function isVector(vector: Float32Array): boolean {
  return vector.every(Number.isFinite) && vector.some((value) => value !== 0)
}

function broken(problem: string): PrehendError<'upstream-broken'> {
  const remedy = 'Look at the server of the embedder, and at its model.'
  return new PrehendError('upstream-broken', `The embedder ${problem}. ${remedy}`, { remedy })
}
