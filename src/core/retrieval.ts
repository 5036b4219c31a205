import type { RankWeights } from './policy-parts.ts'

/** How evidence and memory are looked for. What is absent is as the host's sources have it. */
export interface RetrievalStrategy {
  /** Those that are looked in; a source of a gateway is a collection by its id. All where absent. */
  readonly collections?: readonly string[]
  /** What is less relevant is not taken; in [0, 1]. */
  readonly relevance?: number
  /** Most entries of a collection, the best first. */
  readonly maxItems?: Readonly<Record<string, number>>
  /** Whether entries bring what they are linked to. */
  readonly followLinks?: boolean
  /** How evidence and memory are ranked. */
  readonly weights?: Partial<RankWeights>
}

/** What an override does to the search: it takes another strategy, or changes figures of the one that is used. */
export interface RetrievalChanges extends RetrievalStrategy {
  /** The strategy's name. */
  readonly use?: string
}

/** The strategies that a policy has, and the one that it uses where no override says otherwise. */
export interface RetrievalPolicy {
  readonly use: string
  readonly strategies: Readonly<Record<string, RetrievalStrategy>>
}

/** The strategy of one request, all that holds taken into account. */
export interface StrategyInForce extends RetrievalStrategy {
  readonly name: string
}
