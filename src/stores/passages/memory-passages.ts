import { checkPassages, checkQuery, lengthOf } from './check-passages.ts'
import { collectionIndex } from './collection-index.ts'
import type { CollectionIndex } from './collection-index.ts'
import type { CollectionRef, Passages, StoredPassage } from './passages.ts'

interface Collection {
  readonly tenant: string
  readonly documents: Map<string, readonly StoredPassage[]>
  /** Absent after a change. */
  index?: CollectionIndex | undefined
}

/** Passages of one process, compared one by one: exact, and the measure for indexes that are faster. */
export function memoryPassages(): Passages {
  const collections = new Map<string, Collection>()
  const keyOf = ({ tenant, collection }: CollectionRef): string => JSON.stringify([tenant, collection])
  return {
    vectorIndex: 'in-process',
    async put(at, document, passages) {
      const held: Collection = collections.get(keyOf(at)) ?? { tenant: at.tenant, documents: new Map() }
      const others = Array.from(held.documents).flatMap(([name, of]) => (name === document ? [] : of))
      checkPassages(passages, lengthOf(others))
      held.documents.delete(document)
      if (passages.length > 0) held.documents.set(document, passages.map(copied))
      held.index = undefined
      collections.set(keyOf(at), held)
    },
    drop: async (at) => void collections.delete(keyOf(at)),
    async dropTenant(tenant) {
      for (const [key, held] of collections) if (held.tenant === tenant) collections.delete(key)
    },
    async search(at, query) {
      checkQuery(query)
      const held = collections.get(keyOf(at))
      if (held === undefined) return { byWords: [], byVector: [] }
      const index = (held.index ??= collectionIndex(held.documents))
      return { byWords: index.byWords(query), byVector: index.byVector(query) }
    },
    close: async () => undefined,
  }
}

function copied(passage: StoredPassage): StoredPassage {
  return { ...passage, ...(passage.vector && { vector: passage.vector.slice() }) }
}
