import type { Item, Policy, Situation, StrategyInForce, TaskState } from '../../core/index.ts'
import { composePolicy } from './compose-policy.ts'
import { situationFound } from './in-force.ts'

/** What a search is for. */
export interface RetrievalWork {
  readonly situation?: Situation | undefined
  /** The conversation so far: shows the agent's phase where nobody says it. */
  readonly items?: readonly Item[]
  readonly state?: TaskState | undefined
}

/**
 * How evidence and memory are to be looked for: the strategy that the class of tasks, or another override, names, with what phase and regime change
 * in it. Undefined where the policy has none. Pure.
 *
 * ```ts
 * strategyOf(policy, { situation: { taskClass: 'review', regime: 'volatile' } })?.maxItems
 * ```
 */
export function strategyOf(policy: Policy, { items = [], ...work }: RetrievalWork = {}): StrategyInForce | undefined {
  if (policy.retrieval === undefined) return undefined
  const { retrieval } = composePolicy(policy, situationFound(policy, { items, ...work })).policy
  return retrieval && { name: retrieval.use, ...retrieval.strategies[retrieval.use] }
}
