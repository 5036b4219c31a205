import type { ItemKind } from '../../../core/index.ts'
import type { HandleScope, Scope } from '../../kernel/scope.ts'
import type { LeftOut } from '../receipts/receipt-result.ts'

/**
 * Why a text is in the archive: it is shown shortened (`masked`), it is not shown (`evicted`), a summary stands for it (`summarised`), or the
 * brief of a compaction does (`compacted`).
 */
export const archiveReasons = ['masked', 'evicted', 'summarised', 'compacted'] as const
export type ArchiveReason = (typeof archiveReasons)[number]

/** What a handle brings back. */
export interface Original {
  readonly handle: string
  readonly text: string
  readonly kind?: ItemKind
  readonly toolName?: string
  /** Absent in rows of older versions. */
  readonly reason?: ArchiveReason
  /** Absent where it is not known. */
  readonly leftOut?: LeftOut
}

export interface OriginalsWrite {
  /** A handle that stands for another text of the session fails the unit. */
  readonly originals: readonly Original[]
}

export interface OriginalReads {
  /** In all lanes of the session; without one, in any of the tenant's, for people who have nothing but a handle. */
  get(scope: HandleScope, handle: string): Original | undefined
  /** All that the handles of a session stand for, in all of its lanes, each text once; in no certain order. */
  all(scope: Scope): readonly Original[]
  /** The same without their texts, in the order of their handles. */
  list(scope: Scope, query: OriginalsQuery): readonly ListedOriginal[]
  /** Those in all lanes of the session that say some of the words, the best first. */
  search(scope: Scope, words: string, search: OriginalSearch): readonly Original[]
}

export type ListedOriginal = Omit<Original, 'text'>

/** Which originals are listed. */
export interface OriginalsQuery {
  readonly kind?: ItemKind
  readonly reason?: ArchiveReason
  readonly limit: number
}

/** What a topic is searched in. */
export interface OriginalSearch {
  /** Characters of all that is given; the best stand first, and one that is longer than the rest of the room is left out. */
  readonly maxChars: number
}

export interface OriginalTypes {
  readonly write: OriginalsWrite
  readonly reads: OriginalReads
}
