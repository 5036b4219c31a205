import type { Policy } from '../../core/index.ts'
import { frozen } from '../../core/index.ts'
import { governor } from './governor.ts'
import { agentPhasesPolicy, floorPolicy, gateway128kPolicy, tiers } from './presets.ts'
import {
  audited,
  balanced,
  careful,
  costFirst,
  guarded,
  masked,
  qualityFirst,
  stepPackPolicy,
  thrifty,
} from './profiles.ts'

export { balanced, careful, costFirst, guarded, qualityFirst, thrifty }

/** What is used where no policy is named. */
export const defaultPolicy = balanced

/** The policies that come with the product: each name, the policy, what it is for, and the policy that packs conversations the same way. */
const shipped = {
  'careful': [careful, 'quality first: keeps what a model may still need, saves where little is lost'],
  'balanced': [
    balanced,
    'trims results just read, compacts old steps, and may spend a little before it has saved it; the default',
  ],
  'thrifty': [thrifty, 'saves more; the model must rehydrate more'],
  'quality-first': [qualityFirst, 'low floors, room for evidence; refuses a request that does not fit whole'],
  'cost-first': [costFirst, 'higher floors, small items first, and a price on every token', 'thrifty'],
  'guarded': [guarded, 'as careful; text suspected of prompt injection is quoted as data'],
  'audited': [audited, 'as guarded; a missed quality target raises an alarm, and a safety-critical task is refused'],
  'masked': [masked, 'the newest two results whole, every older one as one line; failures stay for six more results'],
  'step-pack': [
    stepPackPolicy,
    'one step of a task: policy, step and criteria must be given; memory, then evidence, then conversation give way',
  ],
  'gateway-128k': [gateway128kPolicy, 'slots of 100,000 tokens and 28,000 for the output of a window of 128,000'],
  'tiers': [tiers, 'floors for what is invariant and for the task, the rest by weight of the tiers', 'careful'],
  'floors-research': [
    floorPolicy('research'),
    'floors, and of the rest 55-65% evidence, 20-25% memory, 10-15% conversation',
    'careful',
  ],
  'floors-requirements': [
    floorPolicy('requirements'),
    'floors, and of the rest 45-55% evidence, 25-30% memory, 15-20% conversation',
    'careful',
  ],
  'floors-test-cases': [
    floorPolicy('test-cases'),
    'floors, and of the rest 50-60% evidence, 20-25% memory, 10-15% conversation',
    'careful',
  ],
  'agent-phases': [agentPhasesPolicy, 'percentages of the window while planning, executing and reviewing'],
  'governor': [
    governor,
    'shares of thirteen categories that follow phase, regime, affect and turn; conversations as careful where none is said',
  ],
} as const satisfies Readonly<Record<string, readonly [policy: Policy, about: string, conversationsAs?: string]>>

/** The name of a policy that comes with the product. */
export type PolicyName = keyof typeof shipped

/** A policy, or the name of one that comes with the product. */
export type PolicyChoice = PolicyName | Policy

const entries = Object.entries(shipped)

/** The policies that come with the product, by name. */
export const policies: Readonly<Record<PolicyName, Policy> & Record<string, Policy>> = frozen(
  Object.fromEntries(entries.map(([name, [policy]]) => [name, policy])) as Record<PolicyName, Policy>,
)

/** The policy that packs a conversation as this one does: the two differ in documents (`POST /v1/compile`) only. */
export const conversationsAs: Readonly<Record<string, string>> = frozen(
  Object.fromEntries(entries.flatMap(([name, [, , as]]) => (as === undefined ? [] : [[name, as]]))),
)

/** What each of them is for, in a line. */
export const aboutPolicies: Readonly<Record<string, string>> = frozen(
  Object.fromEntries(
    entries.map(([name, [, about, as]]) => [name, as === undefined ? about : `${about}; conversations as ${as}`]),
  ),
)

/** The policies for most programs, the default first, and when to take each. */
export const recommendedPolicies: Readonly<Record<string, string>> = frozen({
  balanced: 'The default: take it unless you have a reason for another.',
  careful: 'Take it where the model must not miss a line that it needs later. It saves less.',
  thrifty: 'Take it where the bill matters most. The model must read more text again.',
} satisfies { readonly [Name in PolicyName]?: string })
