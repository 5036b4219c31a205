import { costFirst } from '../../../compiler/index.ts'
import type { Policy } from '../../../core/index.ts'
import { frozen } from '../../../core/index.ts'

const known = new WeakMap<Policy, Policy>()

/** A policy with what `cost-first` says otherwise: floors, ranks, a price on every token, earlier relief, and fewer lines worth their tokens. */
export function thriftyAs(policy: Policy): Policy {
  const before = known.get(policy)
  if (before !== undefined) return before
  const { floors, rank, costSensitivity, pressure, epochs } = costFirst
  const made = frozen({
    ...policy,
    floors: {
      relevance: Math.max(policy.floors.relevance, floors.relevance),
      freshness: Math.max(policy.floors.freshness, floors.freshness),
      authority: Math.max(policy.floors.authority, floors.authority),
    },
    rank,
    costSensitivity: Math.max(policy.costSensitivity, costSensitivity),
    pressure,
    epochs: { ...policy.epochs, ...epochs },
    version: `${policy.version}${policy.version.includes('+') ? '.' : '+'}cost-first`,
  })
  known.set(policy, made)
  return made
}
