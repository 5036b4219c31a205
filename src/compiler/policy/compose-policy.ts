import type { Policy, PolicyChanges, Situation } from '../../core/index.ts'
import { frozen, policyShape, shape, situationShape } from '../../core/index.ts'
import { composeFractions } from './compose-fractions.ts'
import type { ComposedFractions } from './compose-fractions.ts'
import { composeShares, mergedSections, withinWindow } from './compose-shares.ts'
import { composeRetrieval, rankWithin } from './compose-retrieval.ts'
import { layersOf } from './layers.ts'
import type { Layer } from './layers.ts'
import { policyGroups, policyScalars } from './policy-groups.ts'

/** A policy in one situation. */
export interface PolicyInForce {
  /** Without overrides: they are in its figures. Immutable. */
  readonly policy: Policy
  readonly situation: Situation
  /** The overrides that hold, in the order in which they apply, such as `regime volatile`. */
  readonly overrides: readonly string[]
  /** By path (`epochs.keepFull`, `fractions.evidence`), where a figure is from that the policy itself does not say. */
  readonly origins: ReadonlyMap<string, string>
}

/** Situations of one policy that are remembered. */
const mostSituations = 64

const known = new WeakMap<Policy, Map<string, PolicyInForce>>()

/**
 * What a policy says in a situation: base, tenant, task, agent phase, life-cycle phase, regime, tier of the model, affect, then floors and zeros,
 * normalised once; the factors of the turn last. Pure; the same policy in the same situation is the same value.
 *
 * ```ts
 * composePolicy(policy, { taskClass: 'review', regime: 'volatile' }).policy.fractions
 * ```
 */
export function composePolicy(policy: Policy, situation: Situation = {}): PolicyInForce {
  if (!known.has(policy)) shape.check(policyShape, policy, 'policy')
  shape.check(situationShape, situation, 'situation')
  if (!Object.isFrozen(policy)) return composed(policy, situation)
  const ofPolicy = known.get(policy) ?? new Map<string, PolicyInForce>()
  known.set(policy, ofPolicy)
  const key = keyOf(situation)
  const before = ofPolicy.get(key)
  if (before !== undefined) return before
  if (ofPolicy.size >= mostSituations) ofPolicy.clear()
  const inForce = composed(policy, situation)
  ofPolicy.set(key, inForce)
  return inForce
}

function keyOf(situation: Situation): string {
  const { tenant, taskClass, agentPhase, lifecyclePhase, regime, turnPhase, modelTier, affect } = situation
  const feelings = affect && [affect.pleasure, affect.arousal, affect.dominance]
  return JSON.stringify([tenant, taskClass, agentPhase, lifecyclePhase, regime, turnPhase, modelTier, feelings])
}

function composed(policy: Policy, situation: Situation): PolicyInForce {
  const layers = layersOf(policy, situation)
  const origins = new Map<string, string>()
  const { overrides: _, ...base } = policy
  const scalars = layers.reduce<Policy>((before, layer) => withScalars(before, layer, origins), base)
  const shares = withinWindow(composeShares(policy, layers, origins), scalars.reserveShare)
  const fractions = composeFractions(policy, layers, situation)
  for (const [section, origin] of fractions?.origins ?? [])
    if (origin !== 'base') origins.set(`fractions.${section}`, origin)
  const retrieval = composeRetrieval(policy, layers, origins)
  const sections = sectionsOf(policy, layers, { origins, fractions })
  const inForce = {
    ...scalars,
    shares,
    ...(retrieval && { retrieval, rank: rankWithin(scalars.rank, retrieval) }),
    ...(sections.length > 0 && { sections }),
    ...(fractions && { fractions: fractions.fractions }),
  }
  return {
    // What a caller may still change is not for us to freeze.
    policy: Object.isFrozen(policy) ? frozen(inForce) : inForce,
    situation,
    overrides: [...layers.map(({ origin }) => origin), ...otherOverrides(policy, situation, origins)],
    origins,
  }
}

const scalarNames = [...policyScalars, 'requires', 'coreTools', 'defense', 'quality', 'payload'] as const

/** Later ones win. */
function withScalars(policy: Policy, { origin, changes }: Layer, origins: Map<string, string>): Policy {
  let next: Policy = policy
  for (const name of scalarNames) {
    if (changes[name] === undefined) continue
    next = { ...next, [name]: changes[name] }
    origins.set(name, origin)
    // A class of tasks that had an overflow of its own would else keep it.
    if (name === 'overflow') next = { ...next, overflowFor: {} }
  }
  for (const name of policyGroups) {
    const group: PolicyChanges[typeof name] = changes[name]
    if (group === undefined) continue
    next = { ...next, [name]: { ...next[name], ...group } }
    for (const member of Object.keys(group)) origins.set(`${name}.${member}`, origin)
  }
  return next
}

interface Told {
  readonly origins: Map<string, string>
  readonly fractions: ComposedFractions | undefined
}

function sectionsOf(
  policy: Policy,
  layers: readonly Layer[],
  { origins, fractions }: Told,
): NonNullable<Policy['sections']> {
  for (const { origin, changes } of layers)
    for (const { section, ...bounds } of changes.sections ?? [])
      for (const name of Object.keys(bounds)) origins.set(`sections.${section}.${name}`, origin)
  const least = Array.from(fractions?.minTokens ?? [], ([section, min]) => {
    origins.set(`sections.${section}.min`, 'affect')
    return { section, min }
  })
  return mergedSections([policy.sections, ...layers.map(({ changes }) => changes.sections), least])
}

/** Affect and turns go by no override of their own; where they moved anything, they are named. */
function otherOverrides(
  { overrides = {} }: Policy,
  { turnPhase }: Situation,
  origins: ReadonlyMap<string, string>,
): readonly string[] {
  const told = [...origins.values()]
  const hasTurn = turnPhase !== undefined && Object.hasOwn(overrides.turnPhase ?? {}, turnPhase)
  return [
    ...(told.some((origin) => origin.split(', ').includes('affect')) ? ['affect'] : []),
    ...(hasTurn ? [`turnPhase ${turnPhase}`] : []),
  ]
}
