import type { Policy, Principal, Situation } from '../core/index.ts'
import type { HostStep, Scope } from '../stores/index.ts'

/** The request that an extension is asked about. */
export interface RequestContext {
  readonly requestId: string
  /** The session that the request belongs to, and the lane of its conversation within it. */
  readonly scope: Scope
  readonly principal: Principal
  /** Whether somebody has named the session. Otherwise conversations that begin alike share it, and these may be of several people. */
  readonly isNamed: boolean
  /** In force for the request. It never changes. */
  readonly policy: Policy
  /** What the request is part of, where its client has said that. */
  readonly situation?: Situation
  readonly step?: HostStep
}

/** The same for an extension that is to answer. */
export interface CallContext extends RequestContext {
  /** Tokens that the window has room for. More than that is not shown. */
  readonly roomTokens: number
  /** When the time for the answer is up, in milliseconds since the epoch, by the clock of the session. */
  readonly deadlineMs: number
  /** Aborted when nobody waits for the answer any more: the time is up, or the client has gone. */
  readonly signal: AbortSignal
}
