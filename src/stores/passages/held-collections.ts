import { collectionIndex } from './collection-index.ts'
import type { CollectionIndex } from './collection-index.ts'
import type { HeldStamps, ReadCollection } from './passage-rows.ts'
import type { CollectionRef, StoredPassage } from './passages.ts'

/** A collection as it was last read. */
export interface HeldCollection extends HeldStamps {
  readonly index: CollectionIndex
}

/** Collections that were searched last, as far as there is room for them. */
export interface HeldCollections {
  get(at: CollectionRef): HeldCollection | undefined
  /** Takes what was read in place of what is held. */
  take(at: CollectionRef, read: ReadCollection): HeldCollection
  forget(at: CollectionRef): void
  forgetTenant(tenant: string): void
}

interface Entry extends HeldCollection {
  readonly tenant: string
  readonly passages: ReadonlyMap<string, readonly StoredPassage[]>
  readonly sizeBytes: number
}

/** A collection that is larger than all the room is read anew for each search. */
export function heldCollections(mostBytes: number): HeldCollections {
  /** The one that was used last is the last one. */
  const entries = new Map<string, Entry>()
  let heldBytes = 0
  const keyOf = ({ tenant, collection }: CollectionRef): string => JSON.stringify([tenant, collection])
  const remove = (key: string): void => {
    heldBytes -= entries.get(key)?.sizeBytes ?? 0
    entries.delete(key)
  }
  return {
    get(at) {
      const key = keyOf(at)
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry
    },
    take(at, { stamp, documents }) {
      const key = keyOf(at)
      const before = entries.get(key)?.passages
      const passages = new Map(
        Array.from(documents, ([name, read]) => [name, read.passages ?? before?.get(name) ?? []] as const),
      )
      const stamps = new Map(Array.from(documents, ([name, read]) => [name, read.stamp] as const))
      const index = collectionIndex(passages)
      const entry: Entry = {
        tenant: at.tenant,
        stamp,
        documents: stamps,
        passages,
        index,
        sizeBytes: bytesOf(passages),
      }
      remove(key)
      entries.set(key, entry)
      heldBytes += entry.sizeBytes
      for (const oldest of entries.keys()) if (heldBytes > mostBytes) remove(oldest)
      return entry
    },
    forget: (at) => remove(keyOf(at)),
    forgetTenant(tenant) {
      for (const [key, entry] of entries) if (entry.tenant === tenant) remove(key)
    },
  }
}

/** What a passage takes beside its text and vector, about. */
const passageBytes = 200

/** The index of the words takes about as much as the texts. */
function bytesOf(documents: ReadonlyMap<string, readonly StoredPassage[]>): number {
  let sum = 0
  for (const passages of documents.values())
    for (const { text, vector } of passages) sum += passageBytes + 4 * text.length + (vector?.byteLength ?? 0)
  return sum
}
