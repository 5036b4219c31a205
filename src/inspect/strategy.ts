import type { Brief } from './measures/compactions.ts'
import type { Moment } from './measures/moments.ts'
import type { RenderedMessage, Renderer } from './render.ts'
import type { TraceRequest } from './trace.ts'

/** A way to send a session. */
export interface Strategy {
  readonly name: string
  /** Begins a session; nothing is shared between two. */
  start(renderer: Renderer): StrategyRun
}

export interface StrategyRun {
  /** What is sent for the request. Called once for every request of the session, in order. */
  next(request: TraceRequest): readonly RenderedMessage[]
  /** Why the last request was sent as it came, such as `budget-exhausted`; undefined where the strategy had its way. */
  unpacked?(): string | undefined
  /** What the model was asked beside it, before it, and what it wrote to that; undefined where nothing. */
  asked?(): { readonly sent: readonly RenderedMessage[]; readonly outputTokens: number } | undefined
  /** The handle under which a message of the last request can be asked for, where it shows one. */
  handleOf?(messageId: string): string | undefined
  /** What stands in the last request for messages that are compacted; undefined where none are. */
  brief?(): Brief | undefined
  /** The epoch that began with the last request. Where a strategy does not tell, every form that changes is `warm`. */
  began?(): Moment | undefined
}
