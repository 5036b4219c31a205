import { artifactPolicyShape } from './artifact-policy.ts'
import { compressionShape } from './compression-shape.ts'
import type { ReferencePolicy } from './references.ts'
import type { Policy } from './policy.ts'
import {
  defenseActions,
  overflowPolicies,
  provenanceLevels,
  rankPresetNames,
  rankScorers,
  rankTies,
  requiredParts,
  toolSchemaLevels,
  userActions,
} from './policy-parts.ts'
import type { DefensePolicy, Floors, LearnedRank, PolicyMetrics, Pressure, RankPolicy } from './policy-parts.ts'
import type { RankWeights, SectionRank, SectionShare } from './policy-parts.ts'
import { epochPolicyShape } from './epoch-policy-shape.ts'
import { hygieneShape } from './hygiene.ts'
import { payloadPolicyShape } from './payload-policy-shape.ts'
import { modelPreferences, modelTiers } from './model-tier.ts'
import type {
  AffectRange,
  AffectRule,
  ByModelTier,
  Fractions,
  PolicyChanges,
  PolicyOverrides,
} from './policy-overrides.ts'
import type { SectionShareChange, TenantChanges } from './policy-overrides.ts'
import { conversationPresets, summaryModes, summaryRecalls, summaryWriters } from './summary.ts'
import type { SummaryPolicy } from './summary.ts'
import { toolPolicyShape } from './tool-policy.ts'
import { mediaPolicyShape } from './media-policy-shape.ts'
import { qualityPolicyShape } from './quality-shape.ts'
import { reliefProfiles, reliefSteps } from './relief.ts'
import type { ReliefPolicy, ReliefProfile, ReliefStep } from './relief.ts'
import type { RetrievalChanges, RetrievalPolicy, RetrievalStrategy } from './retrieval.ts'
import * as shape from './shape.ts'
import { sectionRequestShape } from './shapes.ts'
import type { Affect, Situation } from './situation.ts'

const { amount, count, flag, list, name, object, oneOf, optional, partial, record, share, text } = shape

const sectionShareShape = object<SectionShare>({ section: name, min: share, max: share, weight: share })

const floorsShape = object<Floors>({ relevance: share, freshness: share, authority: share })

const weightMembers: shape.Members<RankWeights> = {
  relevance: amount,
  authority: amount,
  freshness: amount,
  utility: amount,
  confidence: optional(amount),
  thrift: amount,
}

const multiplier = optional(shape.between(0.5, 2))

const rankShape = object<RankPolicy>({
  ...weightMembers,
  ties: optional(oneOf(rankTies)),
  scorer: optional(oneOf(rankScorers)),
  multipliers: optional(
    object<NonNullable<RankPolicy['multipliers']>>({
      pragmatic: multiplier,
      epistemic: multiplier,
      affective: multiplier,
      urgency: multiplier,
    }),
  ),
  sections: optional(
    record(
      object<SectionRank>({
        ...partial(object(weightMembers)).members,
        preset: optional(oneOf(rankPresetNames)),
        ties: optional(oneOf(rankTies)),
      }),
    ),
  ),
  learned: optional(object<LearnedRank>({ weights: record(share), floor: optional(share) })),
})

const pressureShape = object<Pressure>({
  prepare: share,
  compress: share,
  evict: share,
  roomTurns: optional(amount),
  lowest: optional(share),
})

const referencesShape = object<ReferencePolicy>({ enabled: optional(flag), similarity: optional(share) })

const summaryPolicyShape = object<SummaryPolicy>({
  mode: optional(oneOf(summaryModes)),
  preset: optional(oneOf(conversationPresets)),
  recentTurns: optional(count),
  leastTurns: optional(count),
  blockTurns: optional(shape.countFrom(1)),
  foldBlocks: optional(shape.countFrom(2)),
  keepRatio: optional(share),
  leastTokens: optional(count),
  mostTokens: optional(shape.countFrom(1)),
  bullets: optional(shape.countFrom(1)),
  recall: optional(oneOf(summaryRecalls)),
  writer: optional(oneOf(summaryWriters)),
})

const reliefShape = shape.textOr(
  oneOf(Object.keys(reliefProfiles) as readonly ReliefProfile[]),
  list<ReliefStep>(oneOf(reliefSteps)),
) as shape.Shape<ReliefPolicy>

const defensePolicyShape = object<DefensePolicy>({
  threshold: share,
  untrusted: oneOf(defenseActions),
  semiTrusted: oneOf(userActions),
  replies: optional(oneOf(userActions)),
  stripInvisible: optional(flag),
  maxChars: optional(
    object<NonNullable<DefensePolicy['maxChars']>>({
      instructions: optional(count),
      user: optional(count),
      result: optional(count),
      evidence: optional(count),
      memory: optional(count),
    }),
  ),
  maxSurface: optional(share),
})

const strategyMembers: shape.Members<RetrievalStrategy> = {
  collections: optional(list(name)),
  relevance: optional(share),
  maxItems: optional(record(count)),
  followLinks: optional(flag),
  weights: optional(partial(object(weightMembers))),
}

const retrievalShape = object<RetrievalPolicy>({
  use: name,
  strategies: record(object<RetrievalStrategy>(strategyMembers)),
})

const fractionsShape: shape.Shape<Fractions> = record(shape.orNull(share))

const changeMembers: shape.Members<PolicyChanges> = {
  fractions: optional(fractionsShape),
  exclusive: optional(flag),
  shares: optional(list(object<SectionShareChange>({ ...partial(sectionShareShape).members, section: name }))),
  sections: optional(list(sectionRequestShape)),
  floors: optional(partial(floorsShape)),
  rank: optional(partial(rankShape)),
  overflow: optional(oneOf(overflowPolicies)),
  requires: optional(list(oneOf(requiredParts))),
  provenance: optional(oneOf(provenanceLevels)),
  pressure: optional(partial(pressureShape)),
  relief: optional(reliefShape),
  contextTokens: optional(shape.countFrom(1)),
  reserveShare: optional(share),
  costSensitivity: optional(amount),
  modelPreference: optional(oneOf(modelPreferences)),
  retrieval: optional(object<RetrievalChanges>({ ...strategyMembers, use: optional(name) })),
  epochs: optional(partial(epochPolicyShape)),
  summaries: optional(summaryPolicyShape),
  promptCache: optional(flag),
  toolSchemas: optional(oneOf(toolSchemaLevels)),
  coreTools: optional(list(name)),
  tools: optional(toolPolicyShape),
  losslessForms: optional(flag),
  compression: optional(compressionShape),
  references: optional(referencesShape),
  findContradictions: optional(flag),
  trackWaste: optional(flag),
  measureQuality: optional(flag),
  quality: optional(qualityPolicyShape),
  defense: optional(defensePolicyShape),
  hygiene: optional(hygieneShape),
  media: optional(mediaPolicyShape),
  artifacts: optional(artifactPolicyShape),
  payload: optional(payloadPolicyShape),
}

const changesShape = object<PolicyChanges>(changeMembers)
const namedChanges = optional(record(changesShape))
/** Validation knows the tiers. */
const tierChanges = namedChanges as shape.Optional<ByModelTier>

const feeling = shape.between(-1, 1)
const rangeShape = object<AffectRange>({ above: optional(feeling), below: optional(feeling) })

const affectRuleShape = object<AffectRule>({
  when: object<AffectRule['when']>({
    pleasure: optional(rangeShape),
    arousal: optional(rangeShape),
    dominance: optional(rangeShape),
  }),
  shift: optional(record(shape.between(-1, 1))),
  minTokens: optional(record(count)),
})

const overridesShape = object<PolicyOverrides>({
  tenant: optional(
    record(
      object<TenantChanges>({
        ...changeMembers,
        taskClass: namedChanges,
        agentPhase: namedChanges,
        lifecyclePhase: namedChanges,
        regime: namedChanges,
        modelTier: tierChanges,
      }),
    ),
  ),
  taskClass: namedChanges,
  agentPhase: namedChanges,
  lifecyclePhase: namedChanges,
  regime: namedChanges,
  modelTier: tierChanges,
  affect: optional(list(affectRuleShape)),
  affectFloor: optional(share),
  turnPhase: optional(record(record(amount))),
  safety: optional(list(name)),
  zeroIsAbsorbing: optional(flag),
})

const metricsShape = object<PolicyMetrics>({
  decisionQuality: optional(share),
  tokenEfficiency: optional(amount),
  validatedMs: optional(amount),
})

export const policyShape = object<Policy>({
  id: name,
  version: text,
  revision: optional(count),
  shares: list(sectionShareShape),
  sections: optional(list(sectionRequestShape)),
  fractions: optional(record(share)),
  softTokens: optional(count),
  contextTokens: optional(shape.countFrom(1)),
  overrides: optional(overridesShape),
  floors: floorsShape,
  rank: rankShape,
  overflow: oneOf(overflowPolicies),
  overflowFor: optional(record(oneOf(overflowPolicies))),
  requires: optional(list(oneOf(requiredParts))),
  provenance: optional(oneOf(provenanceLevels)),
  pressure: pressureShape,
  relief: optional(reliefShape),
  reserveShare: share,
  costSensitivity: amount,
  modelPreference: optional(oneOf(modelPreferences)),
  retrieval: optional(retrievalShape),
  epochs: epochPolicyShape,
  summaries: optional(summaryPolicyShape),
  promptCache: optional(flag),
  toolSchemas: optional(oneOf(toolSchemaLevels)),
  coreTools: optional(list(name)),
  tools: optional(toolPolicyShape),
  losslessForms: optional(flag),
  compression: optional(compressionShape),
  references: optional(referencesShape),
  findContradictions: optional(flag),
  trackWaste: optional(flag),
  measureQuality: optional(flag),
  quality: optional(qualityPolicyShape),
  defense: optional(defensePolicyShape),
  hygiene: optional(hygieneShape),
  media: optional(mediaPolicyShape),
  artifacts: optional(artifactPolicyShape),
  metrics: optional(metricsShape),
  payload: optional(payloadPolicyShape),
})

export const situationShape = object<Situation>({
  tenant: optional(name),
  taskClass: optional(name),
  agentPhase: optional(name),
  lifecyclePhase: optional(name),
  regime: optional(name),
  affect: optional(object<Affect>({ pleasure: feeling, arousal: feeling, dominance: feeling })),
  turnPhase: optional(name),
  modelTier: optional(oneOf(modelTiers)),
})
