import type { FailureRole } from './failure-role.ts'

/** The lines of a result as they are looked at. */
export interface Reading {
  /** Plain: without colours and what others have put before them. */
  readonly lines: readonly string[]
  readonly roles: readonly (FailureRole | undefined)[]
}

/** One failure: its name, its place and its message, as far as they are stated. */
export interface FailureBlock {
  /** Lines (from 0) that belong together, the most telling first. */
  readonly lines: readonly number[]
  /** The line that says what is wrong, or else what has failed. */
  readonly message: number
  /** The line that names what has failed. */
  readonly title?: number
  /** Whether more is said than that it has failed. */
  readonly detailed: boolean
}

/** What a block was made from, and the first line after it. */
export interface Taken {
  readonly block?: FailureBlock
  readonly next: number
}
