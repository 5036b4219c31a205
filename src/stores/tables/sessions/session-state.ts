import type { Ledger, OverlayPart, SessionRecordPart } from '../../../core/index.ts'
import type { Scope } from '../../kernel/scope.ts'

/** A session between its requests. */
export interface SessionState {
  /** 1 once it has been written to, and 1 more with each further unit that changes it. */
  readonly version: number
  readonly ledger?: Ledger
  /** Names of our own tools that have been offered; what was offered once stays offered. */
  readonly offeredTools: readonly string[]
  /** What we added to the conversation, in the order in which it happened. */
  readonly overlay: readonly OverlayPart[]
}

/** Changes a session's state. Absent members change nothing; without any, the session is only marked as used and changed. */
export interface SessionWrite {
  /** `null` takes the ledger away. */
  readonly ledger?: Ledger | null
  readonly offeredTools?: readonly string[]
  /** All of it; of the lane that holds the record of a session, the record. */
  readonly overlay?: readonly (OverlayPart | SessionRecordPart)[]
}

export interface SessionReads {
  get(scope: Scope): SessionState | undefined
  /** The lanes under a session's name, those last written to first; all of them, or those whose names begin so. */
  lanes(tenant: string, session: string, beginning?: string): readonly string[]
}

export interface SessionTypes {
  readonly write: SessionWrite
  readonly reads: SessionReads
}

/** What a session that never was written to is like. */
export const noState: SessionState = { version: 0, offeredTools: [], overlay: [] }
