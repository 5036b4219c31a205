import type { Policy } from '../core/index.ts'
import { frozen } from '../core/index.ts'
import { governor } from './policy/governor.ts'
import { agentPhasesPolicy, floorPolicies, gateway128kPolicy, tiers } from './policy/presets.ts'
import {
  audited,
  careful,
  costFirst,
  guarded,
  masked,
  qualityFirst,
  stepPackPolicy,
  thrifty,
} from './policy/profiles.ts'

export { careful, costFirst, guarded, qualityFirst, thrifty }

const all: readonly Policy[] = [
  careful,
  thrifty,
  qualityFirst,
  costFirst,
  guarded,
  audited,
  masked,
  stepPackPolicy,
  gateway128kPolicy,
  tiers,
  ...floorPolicies,
  agentPhasesPolicy,
  governor,
]

/** The policies that come with the product, by id. */
export const policies: Readonly<Record<string, Policy>> = frozen(
  Object.fromEntries(all.map((policy) => [policy.id, policy])),
)

/** What each of them is for, in a line. */
export const aboutPolicies: Readonly<Record<string, string>> = frozen({
  'careful': 'keeps what a model may still need, saves where nothing is lost; the default',
  'thrifty': 'saves more and leaves more to rehydration',
  'quality-first': 'low floors, room for evidence, and nothing sent where not all of it fits',
  'cost-first': 'higher floors, small items first, and a price on every token',
  'guarded': 'as careful, and what is suspected to hold orders is quoted as data',
  'audited': 'as guarded, and held to all targets of quality: an alarm, and a refusal where a task is safety-critical',
  'masked': 'the newest two results whole, every other one line; failures for six results more',
  'step-pack':
    'one step of a task: policy, step and criteria must be given; memory, then evidence, then conversation give way',
  'gateway-128k': 'slots of 100,000 tokens and 28,000 for the output of a window of 128,000',
  'tiers': 'floors for what is invariant and for the task, the rest by weight of the tiers',
  'floors-research': 'floors, and of the rest 55-65% evidence, 20-25% memory, 10-15% conversation',
  'floors-requirements': 'floors, and of the rest 45-55% evidence, 25-30% memory, 15-20% conversation',
  'floors-test-cases': 'floors, and of the rest 50-60% evidence, 20-25% memory, 10-15% conversation',
  'agent-phases': 'percentages of the window while planning, executing and reviewing',
  'governor': 'shares of thirteen categories that follow phase, regime, affect and turn',
})
