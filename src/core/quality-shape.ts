import { breachActions, fidelityWays, qualityMeasures } from './quality.ts'
import type { QualityGate, QualityMeasure, QualityPolicy } from './quality.ts'
import * as shape from './shape.ts'

const { count, object, oneOf, optional, share } = shape

const gate = object<QualityGate>({ least: optional(share), most: optional(share) })

type Gates = NonNullable<QualityPolicy['gates']>

/** One member for every measure. */
const gateMembers = Object.fromEntries(qualityMeasures.map((measure) => [measure, optional(gate)])) as Record<
  QualityMeasure,
  shape.Optional<QualityGate>
>

export const qualityPolicyShape = object<QualityPolicy>({
  gates: optional(object<Gates>(gateMembers)),
  onBreach: optional(oneOf(breachActions)),
  minTokens: optional(count),
  fidelity: optional(oneOf(fidelityWays)),
})
