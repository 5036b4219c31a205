import type { Conversation, Item, StrategyInForce } from '../../../core/index.ts'

/** What a source is told of the request that it may contribute to. */
export interface CollectRequest {
  readonly requestId: string
  readonly tenant: string
  /** As the layers before have left it. */
  readonly conversation: Conversation
  /**
   * How it is to be looked for, where the policy says so. What it names as `collections`, the most of each and the least relevance hold whatever a
   * source makes of them.
   */
  readonly strategy?: StrategyInForce
  /** Aborted when nobody waits for the answer any more: the time is up, or the client has gone. */
  readonly signal: AbortSignal
}

/**
 * Contributes items to a request before it is compiled: evidence, memory, whatever a model may need beside what the client
 * sent. What is shown of them stands in the session's later requests where it stood.
 */
export interface Source {
  readonly id: string
  /** Whoever is late, or rejects, is left out of the request and named. */
  collect(request: CollectRequest): Promise<readonly Item[]>
}
