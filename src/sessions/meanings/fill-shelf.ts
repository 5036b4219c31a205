import { askEmbedder } from './ask-embedder.ts'
import { keepVectors, keptVector } from './kept-vectors.ts'
import { hasFailed, hasWorked } from './vector-shelf.ts'
import type { MeaningHost, VectorShelf } from './vector-shelf.ts'

/** Texts of one call of an embedder. */
const textsAtOnce = 32
/** Of one tenant. A larger catalogue is found by words. */
export const mostTexts = 4_000

/** Makes a vector for each text that waits, until none does or one fails. Never rejects. */
export async function fillShelf(host: MeaningHost, shelf: VectorShelf): Promise<void> {
  try {
    while (shelf.waiting.size > 0 && !shelf.isGone) {
      const batch = new Map([...shelf.waiting].slice(0, textsAtOnce))
      await addBatch(host, shelf, batch)
      for (const key of batch.keys()) shelf.waiting.delete(key)
    }
  } catch (error) {
    host.watch.counted('tool', 'failed', shelf.waiting.size)
    shelf.waiting.clear()
    hasFailed(host, shelf, error)
  }
}

async function addBatch(host: MeaningHost, shelf: VectorShelf, batch: ReadonlyMap<string, string>): Promise<void> {
  const known = await knownOf(host, shelf, [...batch.keys()])
  put(shelf, known)
  host.watch.counted('tool', 'kept', known.size)
  const missing = [...batch].filter(([key]) => !known.has(key))
  if (missing.length === 0 || shelf.isGone) return
  const texts = missing.map(([, text]) => text)
  const vectors = await askEmbedder(shelf.by.embedder, texts, host.timeoutMs)
  const made = new Map(missing.flatMap(([key], at) => (vectors[at] ? [[key, vectors[at]]] : [])))
  put(shelf, made)
  host.watch.counted('tool', 'made', made.size)
  hasWorked(host, shelf)
  // What cannot be kept is made again by the next process.
  if (shelf.by.keeps && !shelf.isGone) await keepVectors(host.kept, shelf.tenant, made).catch(() => undefined)
}

async function knownOf(
  { kept }: MeaningHost,
  { by, tenant, isChanged }: VectorShelf,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Float32Array>> {
  if (!by.keeps || isChanged) return new Map()
  const found = await Promise.all(
    keys.map(async (key) => [key, await keptVector(kept, tenant, key).catch(() => undefined)] as const),
  )
  return new Map(found.flatMap(([key, vector]) => (vector ? [[key, vector]] : [])))
}

/** A tool that was not embedded longest gives way. */
function put({ vectors }: VectorShelf, more: ReadonlyMap<string, Float32Array>): void {
  for (const [key, vector] of more) vectors.set(key, vector)
  for (const oldest of vectors.keys()) {
    if (vectors.size <= mostTexts) break
    vectors.delete(oldest)
  }
}
