import type { Row } from '../kernel/table.ts'
import type { Scope } from '../kernel/scope.ts'
import type { Fragment } from './known-lists.ts'

/** A unit as it is written: texts and numbers only, and of lists only what is new, so that it may cross to another thread. */
export interface UnitRows {
  readonly scope: Scope
  readonly nowMs: number
  readonly expectVersion?: number
  /** Whether its session is changed by it. */
  readonly changesSession: boolean
  /** The state that the fragments were made upon; absent where there was none. */
  readonly base?: SessionBase
  readonly fragments: readonly Fragment[]
  /** In order, each with the name of its table. */
  readonly writes: readonly (readonly [table: string, row: Row])[]
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

/** What came of one unit. Where it was made upon another state than the one that stands, nothing is written, and it may be made again. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly base?: SessionBase }
  | { readonly kind: 'stale'; readonly facts?: SessionFacts }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly reason: string }
