import type { Item, ModelPreference, ModelTier, Policy, RiskLevel, Situation, TaskState } from '../../core/index.ts'
import { itemShape, riskLevels, shape, situationShape, taskStateShape } from '../../core/index.ts'
import { agentPhaseNamed } from './agent-phase-name.ts'
import { composePolicy } from './compose-policy.ts'
import { phaseShown } from './detect-phase.ts'

/** What is known of the work that a model is wanted for. */
export interface ModelWork {
  readonly situation?: Situation | undefined
  /** The conversation so far, in order. */
  readonly items?: readonly Item[]
  /** What the agent says of its task; it goes before what its calls show. */
  readonly state?: TaskState | undefined
  readonly risk?: RiskLevel | undefined
}

/** The tiers of models that are asked for a piece of work. */
export interface ModelChoice {
  /** That is in force. */
  readonly preference: ModelPreference
  /** In the order in which they are asked: each only where those before it did not manage. Never empty. */
  readonly tiers: readonly ModelTier[]
  /** Why these, in words for people. */
  readonly why: string
}

const { list, oneOf, optional } = shape

const workShape = shape.object<ModelWork>({
  situation: optional(situationShape),
  items: optional(list(itemShape)),
  state: optional(taskStateShape),
  risk: optional(oneOf(riskLevels)),
})

/**
 * Which kind of model is to do a piece of work, by the preference that a policy has in its situation. `cheap-first` begins without a model
 * and goes on to dearer ones; `balanced` has the cheap one do what is routine, and the dear one plan, review, decide, and do what is
 * risky or has failed; `paranoid` has the dear one do everything. Pure.
 *
 * ```ts
 * chooseModel(policy, { items, risk: 'high' }).tiers // ['T2']
 * ```
 */
export function chooseModel(policy: Policy, work: ModelWork = {}): ModelChoice {
  shape.check(workShape, work, 'work')
  const { situation = {}, items = [], state } = work
  const said = situation.agentPhase
  const phase = said === undefined ? phaseShown({ items, state }) : agentPhaseNamed(said)
  const known = phase === undefined ? situation : { agentPhase: phase, ...situation }
  const { modelPreference: preference = 'balanced' } = composePolicy(policy, known).policy
  if (preference === 'cheap-first') return { preference, tiers: ['T0', 'T1', 'T2'], why: 'the cheapest that manages' }
  if (preference === 'paranoid') return { preference, tiers: ['T2'], why: 'the dear one for everything' }
  const demand = demandOf(work, phase)
  if (demand !== undefined) return { preference, tiers: ['T2'], why: demand }
  return { preference, tiers: ['T1'], why: phase === undefined ? 'nothing asks for more' : `routine: ${phase}` }
}

/** Why the work asks for the dear model. */
function demandOf({ situation, state, risk }: ModelWork, phase: string | undefined): string | undefined {
  if (risk === 'high') return 'the risk is high'
  if (state?.error !== undefined) return 'the task has failed'
  const turn = situation?.turnPhase
  if (turn === 'decide' || turn === 'reflect') return `the turn is to ${turn}`
  return phase === 'planning' || phase === 'reviewing' ? phase : undefined
}
