import type { Item, Policy, Situation, StrategyInForce, TaskState } from '../../core/index.ts'
import { itemShape, shape, situationShape, taskStateShape } from '../../core/index.ts'
import { validatePolicy } from './sound-policy.ts'
import { composePolicy } from './compose-policy.ts'
import { situationFound } from './in-force.ts'

/** What a search is for. */
export interface RetrievalWork {
  readonly situation?: Situation | undefined
  /** The conversation so far: shows the agent's phase where nobody says it. */
  readonly items?: readonly Item[]
  readonly state?: TaskState | undefined
}

const workShape = shape.object<RetrievalWork>({
  situation: shape.optional(situationShape),
  items: shape.optional(shape.list(itemShape)),
  state: shape.optional(taskStateShape),
})

/**
 * How evidence and memory are to be looked for: the strategy that the class of tasks, or another override, names, with what phase and regime change
 * in it. Undefined where the policy has none. Pure.
 *
 * ```ts
 * strategyOf(policy, { situation: { taskClass: 'review', regime: 'volatile' } })?.maxItems
 * ```
 */
export function strategyOf(policy: Policy, asked: RetrievalWork = {}): StrategyInForce | undefined {
  validatePolicy(policy)
  shape.check(workShape, asked, 'work')
  const { items = [], ...work } = asked
  if (policy.retrieval === undefined) return undefined
  const { retrieval } = composePolicy(policy, situationFound(policy, { items, ...work })).policy
  return retrieval && { name: retrieval.use, ...retrieval.strategies[retrieval.use] }
}
