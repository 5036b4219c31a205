import { constraintOrigins, constraintPolarities, constraintStrengths } from './constraint.ts'
import type { Constraint, ReplyCheck } from './constraint.ts'
import { packRules, rankedPlacements, rulePlaces } from './payload-policy.ts'
import type { PayloadPolicy } from './payload-policy.ts'
import { authorities } from './section.ts'
import * as shape from './shape.ts'

const { count, flag, list, name, object, oneOf, optional, record, share, text } = shape

export const payloadPolicyShape = object<PayloadPolicy>({
  rules: optional(oneOf(rulePlaces)),
  without: optional(list(oneOf(packRules))),
  repeatCritical: optional(oneOf(['always', 'long'])),
  placement: optional(record(oneOf(rankedPlacements))),
  last: optional(list(name)),
  checklist: optional(flag),
  recite: optional(flag),
  labels: optional(flag),
  invariants: optional(flag),
  maxConstraintShare: optional(share),
})

export const constraintShape = object<Constraint>({
  text: name,
  strength: optional(oneOf(constraintStrengths)),
  polarity: optional(oneOf(constraintPolarities)),
  origin: optional(oneOf(constraintOrigins)),
  authority: optional(oneOf(authorities)),
  about: optional(name),
  adds: optional(flag),
  relaxWhen: optional(text),
  check: optional(
    object<ReplyCheck>({ contains: optional(list(text)), lacks: optional(list(text)), maxChars: optional(count) }),
  ),
})
