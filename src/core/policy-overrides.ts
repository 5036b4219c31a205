import type { ArtifactPolicy } from './artifact-policy.ts'
import type { SectionBudget } from './budget.ts'
import type {
  DefensePolicy,
  EpochPolicy,
  Floors,
  OverflowPolicy,
  Pressure,
  ProvenanceLevel,
  RankPolicy,
  ToolSchemaLevel,
} from './policy-parts.ts'
import type { CompressionPolicy } from './compression.ts'
import type { ReferencePolicy } from './references.ts'
import type { ModelPreference, ModelTier } from './model-tier.ts'
import type { HygienePolicy } from './hygiene.ts'
import type { ToolPolicy } from './tool-policy.ts'
import type { MediaPolicy } from './media-policy.ts'
import type { PayloadPolicy } from './payload-policy.ts'
import type { ReliefPolicy } from './relief.ts'
import type { SummaryPolicy } from './summary.ts'
import type { QualityPolicy } from './quality.ts'
import type { RetrievalChanges } from './retrieval.ts'
import type { RequiredPart, SectionShare } from './policy-parts.ts'
import type { Section } from './section.ts'

/** Shares of a budget by section; together they are brought to 1. Zero removes a section, `null` leaves it as it was. */
export type Fractions = Readonly<Record<string, number | null>>

/** Bounds of one section, as far as they are given: of its share of the window, or in tokens. */
export type SectionShareChange = Partial<SectionShare> & Pick<SectionShare, 'section'>
/** Another budget for a section; what is absent stays as it is. */
export type SectionBounds = Partial<SectionBudget> & Pick<SectionBudget, 'section'>

/** What an override changes in a policy; what is absent stays. */
export interface PolicyChanges {
  readonly fractions?: Fractions
  /** All of the budget goes to what `fractions` names, in these proportions. */
  readonly exclusive?: boolean
  readonly shares?: readonly SectionShareChange[]
  readonly sections?: readonly SectionBounds[]
  readonly floors?: Partial<Floors>
  readonly rank?: Partial<RankPolicy>
  readonly overflow?: OverflowPolicy
  readonly requires?: readonly RequiredPart[]
  readonly provenance?: ProvenanceLevel
  readonly pressure?: Partial<Pressure>
  readonly relief?: ReliefPolicy
  readonly contextTokens?: number
  readonly reserveShare?: number
  readonly costSensitivity?: number
  readonly modelPreference?: ModelPreference
  readonly retrieval?: RetrievalChanges
  readonly epochs?: Partial<EpochPolicy>
  readonly summaries?: SummaryPolicy
  readonly promptCache?: boolean
  readonly toolSchemas?: ToolSchemaLevel
  readonly coreTools?: readonly string[]
  readonly tools?: ToolPolicy
  readonly losslessForms?: boolean
  readonly compression?: CompressionPolicy
  readonly references?: ReferencePolicy
  readonly findContradictions?: boolean
  readonly trackWaste?: boolean
  readonly measureQuality?: boolean
  /** In place of the whole of what the policy says. */
  readonly defense?: DefensePolicy
  readonly hygiene?: HygienePolicy
  /** In place of the whole of what the policy says. */
  readonly media?: MediaPolicy
  readonly artifacts?: ArtifactPolicy
  /** The same. */
  readonly quality?: QualityPolicy
  /** The same. */
  readonly payload?: PayloadPolicy
}

/** Overrides by name. */
export type Named<Changes> = Readonly<Record<string, Changes>>

/** What one tenant has otherwise, by task and phase too. */
export interface TenantChanges extends PolicyChanges {
  readonly taskClass?: Named<PolicyChanges>
  readonly agentPhase?: Named<PolicyChanges>
  readonly lifecyclePhase?: Named<PolicyChanges>
  readonly regime?: Named<PolicyChanges>
  readonly modelTier?: ByModelTier
}

/** What holds for the models of a tier: a smaller budget for the cheap one, say. */
export type ByModelTier = Readonly<Partial<Record<ModelTier, PolicyChanges>>>

/** A range of one feeling; its ends do not belong to it. */
export interface AffectRange {
  readonly above?: number
  readonly below?: number
}

/** A change of the shares of sections while the state of mind of a host is in a range. */
export interface AffectRule {
  readonly when: Readonly<Partial<Record<'pleasure' | 'arousal' | 'dominance', AffectRange>>>
  /** Added to fractions; the shifts of a rule cancel out. What is at zero stays there. */
  readonly shift?: Readonly<Record<string, number>>
  /** Tokens that a section has at least, where its fraction is above zero. */
  readonly minTokens?: Readonly<Record<string, number>>
}

/**
 * What holds in a situation. Composed as base, tenant, task, agent phase, life-cycle phase, regime, tier of the model, affect, then floors and
 * zeros; normalised once; the factors of the turn come last, on soft sections only, and are normalised to the budget.
 */
export interface PolicyOverrides {
  readonly tenant?: Named<TenantChanges>
  readonly taskClass?: Named<PolicyChanges>
  readonly agentPhase?: Named<PolicyChanges>
  readonly lifecyclePhase?: Named<PolicyChanges>
  readonly regime?: Named<PolicyChanges>
  readonly modelTier?: ByModelTier
  readonly affect?: readonly AffectRule[]
  /** After affect has moved them, fractions above zero are at least this; 0 by default. */
  readonly affectFloor?: number
  /** Factors of the fractions of soft sections. */
  readonly turnPhase?: Named<Readonly<Record<string, number>>>
  /** Sections for which the larger wins where several overrides name them; those of tier 0 by default. */
  readonly safety?: readonly Section[]
  /** Whether what a phase sets to zero stays there, whatever comes after; it does by default. */
  readonly zeroIsAbsorbing?: boolean
}

export const overrideLevels = ['tenant', 'taskClass', 'agentPhase', 'lifecyclePhase', 'regime', 'modelTier'] as const
/** The levels of overrides that go by a name, in the order in which they apply. */
export type OverrideLevel = (typeof overrideLevels)[number]
