import { callable, shape } from '../../core/index.ts'
import type { Conversation, Item, StrategyInForce } from '../../core/index.ts'
import type { CallContext } from '../call-context.ts'

/**
 * What a source is told of the request that it may contribute to. The lane of its scope is the one in which the conversation begins; where a
 * conversation goes several ways, each has a lane beside it.
 */
export interface CollectRequest extends CallContext {
  /** As the layers before have left it. */
  readonly conversation: Conversation
  /**
   * How it is to be looked for, where the policy says so. What it names as `collections`, the most of each and the least relevance hold whatever a
   * source makes of them.
   */
  readonly strategy?: StrategyInForce
}

/** When a source is asked: once for a turn of the user, or with every request of it. */
export const askingTimes = ['turn', 'request'] as const
export type AskingTime = (typeof askingTimes)[number]

/**
 * Contributes items to a request before it is compiled: evidence, memory, whatever a model may need beside what the client
 * sent. What is shown of them stands in the session's later requests where it stood.
 */
export interface Source {
  readonly id: string
  /**
   * `turn` by default: the source is asked with the first request after the user's words, and what it gave stands while the model works on
   * them with its tools.
   */
  readonly when?: AskingTime
  /** Whoever is late, or rejects, is left out of the request and named. */
  collect(request: CollectRequest): Promise<readonly Item[]>
}

export const sourceShape = shape.object<Source>({
  id: shape.name,
  when: shape.optional(shape.oneOf(askingTimes)),
  collect: callable(),
})
