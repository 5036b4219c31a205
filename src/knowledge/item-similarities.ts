import type { Item, ItemSimilarity } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'

/** What turns texts into vectors of one length, in their order. */
export interface TextEmbedder {
  /** What makes the vectors, such as the name of a model. By it, vectors are kept in a store; without it, in this process alone. */
  readonly model?: string
  /** The vector of each text, in the order of the texts. */
  embed(texts: readonly string[]): Promise<readonly ArrayLike<number>[]>
}

/** Options of `itemSimilarities`. */
export interface SimilarityOptions {
  /** Pairs that are less alike are not told; 0.85 by default. */
  readonly least?: number
}

/** Comparing more with each other would take long. */
const mostItems = 1000

/**
 * How alike items of different sections are by the cosine of their vectors, for `similarities` of a compile: what was looked up or remembered, and
 * what it may repeat. Throws `invalid-input` where there are more than 1,000, or where the vectors are not of one length.
 */
export async function itemSimilarities(
  items: readonly Item[],
  embedder: TextEmbedder,
  { least = 0.85 }: SimilarityOptions = {},
): Promise<readonly ItemSimilarity[]> {
  const compared = items.filter(
    ({ text, section, kind }) => text !== '' && section !== 'tools' && kind !== 'tool-result',
  )
  if (compared.length > mostItems)
    throw invalidInput('items', `are ${compared.length} that would be compared`, `Give at most ${mostItems}.`)
  const vectors = await embedder.embed(compared.map(({ text }) => text))
  const size = vectors[0]?.length ?? 0
  if (vectors.length !== compared.length || vectors.some((vector) => vector.length !== size))
    throw invalidInput(
      'embedder',
      'gave vectors that are too few or of different lengths',
      'Give one vector for each text.',
    )
  const norms = vectors.map((vector) => Math.sqrt(product(vector, vector)))
  const found: ItemSimilarity[] = []
  for (const [b, second] of compared.entries())
    for (const [a, first] of compared.slice(0, b).entries()) {
      if (first.section === second.section) continue
      const cosine = product(vectors[a] ?? [], vectors[b] ?? []) / ((norms[a] ?? 0) * (norms[b] ?? 0) || 1)
      if (cosine >= least) found.push({ a: first.id, b: second.id, similarity: Math.min(1, cosine) })
    }
  return found
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
