import { costFirst } from '../../../compiler/index.ts'
import type { Policy } from '../../../core/index.ts'
import { frozen, perObject } from '../../../core/index.ts'

/** A policy with what `cost-first` says otherwise: floors, ranks, a price on every token, earlier relief, and fewer lines worth their tokens. */
export const thriftyAs = perObject((policy: Policy): Policy => {
  const { floors, rank, costSensitivity, pressure, epochs } = costFirst
  return frozen({
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
})
