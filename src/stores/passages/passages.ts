/** A tenant's collection of documents. What one tenant has stored does not exist for another. */
export interface CollectionRef {
  readonly tenant: string
  readonly collection: string
}

/** A part of a document that can be found and shown. */
export interface StoredPassage {
  /** Unique in its document. */
  readonly id: string
  readonly text: string
  /** By the embedding model of the collection; a passage without one is found by its words only. */
  readonly vector?: Float32Array
}

/** A search for passages: by words, by a vector, or by both. */
export interface PassageQuery {
  /** What to look for by words; no search by words where absent. */
  readonly words?: string
  /** What to look for by meaning; no search by vectors where absent. Has the length of the collection's vectors. */
  readonly vector?: Float32Array
  /** How many hits of each search. */
  readonly most: number
  /** Only in these documents; in all where absent. */
  readonly documents?: readonly string[]
}

/** A passage that a search has found. */
export interface PassageHit {
  readonly document: string
  readonly id: string
  readonly text: string
  /** By words: relative to the best hit, above 0 up to 1. By vector: the cosine similarity, from -1 to 1. */
  readonly score: number
}

/** The best hits of each search, the best first; equal scores in the order of document and id. Fusing both lists is the caller's. */
export interface PassageHits {
  readonly byWords: readonly PassageHit[]
  readonly byVector: readonly PassageHit[]
}

/** Where the nearest vectors are found: in this process, or in the database by pgvector. Both compare a query with every vector. */
export type VectorIndex = 'in-process' | 'pgvector'

/**
 * Texts and vectors of collections. Changes are visible to every search that begins after they resolve, of whatever process. Failures reject
 * with `store-failed`. `invalid-input` names a vector of another length than those of its collection, one that is empty or holds a value
 * that is not finite, and an id that stands twice. Every implementation passes `passagesContract` of `prehend/testing`.
 */
export interface Passages {
  readonly vectorIndex: VectorIndex
  /** Replaces all passages of a document: all of them or none; an empty list removes it. */
  put(at: CollectionRef, document: string, passages: readonly StoredPassage[]): Promise<void>
  /** Removes a collection. */
  drop(at: CollectionRef): Promise<void>
  /** Removes all collections of a tenant. */
  dropTenant(tenant: string): Promise<void>
  /** The hits of each search, the best first. */
  search(at: CollectionRef, query: PassageQuery): Promise<PassageHits>
  /** Lets go of everything. */
  close(): Promise<void>
}
