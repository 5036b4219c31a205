import type { CollectionRef, PassageHit, PassageQuery, StoredPassage } from './passages.ts'

/** The new passages of a document. */
export interface DocumentChange {
  readonly document: string
  readonly passages: readonly StoredPassage[]
  /** No two changes have the same. */
  readonly stamp: string
  /** To be called within the transaction; `dimensions` is the length of the vectors of the collection's other documents. */
  check(dimensions: number | undefined): void
}

/** The states of a collection and of its documents that somebody has read. */
export interface HeldStamps {
  readonly stamp: string
  readonly documents: ReadonlyMap<string, string>
}

export interface ReadDocument {
  readonly stamp: string
  /** Absent where the document is still the one that was read before. */
  readonly passages?: readonly StoredPassage[]
}

export interface ReadCollection {
  readonly stamp: string
  readonly documents: ReadonlyMap<string, ReadDocument>
}

/** Passages as rows of a database that processes share. Every method is a transaction of its own. */
export interface PassageRows {
  put(at: CollectionRef, change: DocumentChange): Promise<void>
  drop(at: CollectionRef): Promise<void>
  dropTenant(tenant: string): Promise<void>
  /** All that has changed since; undefined where there is no such collection. */
  read(at: CollectionRef, held: HeldStamps | undefined): Promise<ReadCollection | 'unchanged' | undefined>
  /** The nearest passages, where the database finds them itself; `read` then gives no vectors. */
  nearest?(at: CollectionRef, query: PassageQuery & { readonly vector: Float32Array }): Promise<readonly PassageHit[]>
  close(): Promise<void>
}
