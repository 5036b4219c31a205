import type { Tally } from '../statistics/rollups.ts'
import type { TenantAccountChange } from '../tenant-account.ts'
import type { Scope } from '../store.ts'
import type { Fragment } from './known-lists.ts'

/** A commit as it is written: texts and numbers only, and of lists only what is new, so that it may cross to another thread. */
export interface CommitRows {
  readonly scope: Scope
  readonly nowMs: number
  readonly expectVersion?: number
  /** Absent where the commit only adds a result. */
  readonly session?: SessionChange
  readonly result?: ResultRow
  readonly tally?: Tally
  readonly tenantAccount?: TenantAccountChange
}

/** How a request went: a `ReceiptResult`, from which it is worked out where it is written what it adds. */
interface ResultRow {
  readonly requestId: string
  readonly json: string
}

export interface SessionChange {
  /** The row that the fragments were made upon; absent where there was none. */
  readonly base?: SessionBase
  readonly offeredTools?: string
  readonly ledger?: string | null
  readonly overlay?: string
  readonly fragments: readonly Fragment[]
  readonly policy?: PolicyRow
  readonly originals: readonly OriginalRow[]
  readonly receipt?: ReceiptRow
}

export interface PolicyRow {
  readonly key: string
  readonly json: string
}

export interface OriginalRow {
  readonly handle: string
  readonly text: string
  readonly about: string
}

export interface ReceiptRow {
  readonly requestId: string
  readonly packId: string
  readonly head: string
  readonly model?: string
  readonly policy: string
  readonly manifest: string
  readonly input?: string
  readonly request?: string
}

/** Tells a state of a session from all others. */
export interface SessionBase {
  readonly id: number
  readonly version: number
  readonly usedMs: number
}

/** A session as it stands, and the numbers that the next elements of its lists get, by kind. */
export interface SessionFacts extends SessionBase {
  readonly next: readonly number[]
}

/** What came of one commit. Where it was made upon another state than the one that stands, nothing is written, and it may be made again. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly base?: SessionBase }
  | { readonly kind: 'stale'; readonly facts?: SessionFacts }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly reason: string }
