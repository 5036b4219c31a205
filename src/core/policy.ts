import type { ArtifactPolicy } from './artifact-policy.ts'
import type { HygienePolicy } from './hygiene.ts'
import type { ModelPreference } from './model-tier.ts'
import type { CompressionPolicy } from './compression.ts'
import type { ReferencePolicy } from './references.ts'
import type { SummaryPolicy } from './summary.ts'
import type { ToolPolicy } from './tool-policy.ts'
import type { PayloadPolicy } from './payload-policy.ts'
import type { MediaPolicy } from './media-policy.ts'
import type { ReliefPolicy } from './relief.ts'
import type { QualityPolicy } from './quality.ts'
import type { RetrievalPolicy } from './retrieval.ts'
import type { PolicyOverrides, SectionBounds } from './policy-overrides.ts'
import type {
  DefensePolicy,
  EpochPolicy,
  Floors,
  OverflowPolicy,
  PolicyMetrics,
  Pressure,
  ProvenanceLevel,
  RankPolicy,
  RequiredPart,
  SectionShare,
  ToolSchemaLevel,
} from './policy-parts.ts'

/** What a compile is to do. Immutable; `version` and `revision` are recorded in every manifest. */
export interface Policy {
  readonly id: string
  /** Of the words that it is written in: semantic, `1.2.0`. */
  readonly version: string
  /** Rises with every change; 0 where absent. */
  readonly revision?: number
  readonly shares: readonly SectionShare[]
  /** Bounds in tokens, in the normal form of a budget; they go before shares, and those of a request before them. */
  readonly sections?: readonly SectionBounds[]
  /**
   * What each section takes of a budget at most; brought to a sum of 1. What stands whole (tiers 0 and 1, tools excepted) is taken
   * off first at its size, and the others divide what remains. `reserve` is kept free for the reply.
   */
  readonly fractions?: Readonly<Record<string, number>>
  /** What the fractions are fractions of, in tokens; the window where absent. */
  readonly softTokens?: number
  /** Most tokens that a request may have, framing included, however large the window; all that it holds where absent. */
  readonly contextTokens?: number
  /** What holds for a tenant, a class of tasks, a phase, a regime. */
  readonly overrides?: PolicyOverrides
  readonly floors: Floors
  readonly rank: RankPolicy
  readonly overflow: OverflowPolicy
  /** Other choices for classes of tasks; `safety-critical` is `fail-loud` where nothing else is said. */
  readonly overflowFor?: Readonly<Record<string, OverflowPolicy>>
  /** What must be given for a pack to be valid. */
  readonly requires?: readonly RequiredPart[]
  /** What evidence must say about its origin: all of it where nothing else is said. Recorded in every receipt with evidence. */
  readonly provenance?: ProvenanceLevel
  readonly pressure: Pressure
  /** What is done for want of room, step by step, before the policy of overflow; as the compiler sees fit where absent. */
  readonly relief?: ReliefPolicy
  /** Smallest share of the window kept for the reply. */
  readonly reserveShare: number
  readonly costSensitivity: number
  /** Which of a host's models is asked, where the request leaves it open; `balanced` where absent. */
  readonly modelPreference?: ModelPreference
  /** How a host's sources look for evidence and memory; as they see fit where absent. */
  readonly retrieval?: RetrievalPolicy
  readonly epochs: EpochPolicy
  /** How a history that exceeds what it was granted is summarised; it is not where absent. */
  readonly summaries?: SummaryPolicy
  /**
   * Whether what is sent is marked and kept for a provider's prompt cache; it is by default. Without, nothing is marked, and every
   * request is shown anew as if nothing of it were cached.
   */
  readonly promptCache?: boolean
  /**
   * How far definitions of tools may be shortened for want of room, `truncate` by default: `minify` loses nothing, `truncate`
   * leaves out what explains parameters, `aggressive` also fields that are not required and all but the first sentence.
   */
  readonly toolSchemas?: ToolSchemaLevel
  /** Names of tools whose definitions are shortened last, beside those that the conversation has called. */
  readonly coreTools?: readonly string[]
  /** Which of a client's tools stand in its requests; all of them where it is absent. */
  readonly tools?: ToolPolicy
  /** Whether results and passages may take a form that says the same in less, such as JSON without white space; they may by default. */
  readonly losslessForms?: boolean
  /** How prose is shortened where a request is long; it is not where absent. */
  readonly compression?: CompressionPolicy
  /** Whether what stands in two sections is said once and referred to; it is not where absent. */
  readonly references?: ReferencePolicy
  /** Whether receipts warn of orders in instructions and payload that contradict each other by their words; they do not by default. */
  readonly findContradictions?: boolean
  /** Whether receipts say what of a conversation nothing has used since it was sent; they do not by default. */
  readonly trackWaste?: boolean
  /** Whether receipts say how good a pack is by eight measures; they do not by default, or unless `quality` says what it is held to. */
  readonly measureQuality?: boolean
  /** What packs are held to; each is then measured. */
  readonly quality?: QualityPolicy
  /** Nothing is looked for where it is absent. */
  readonly defense?: DefensePolicy
  /** What becomes of what has had its time; nothing grows old where it is absent. */
  readonly hygiene?: HygienePolicy
  /** What pictures and recordings become as they come in, and what they are worth beside words; they stay as they come where it is absent. */
  readonly media?: MediaPolicy
  /** When large evidence and results stand as artifacts; they stand whole where it is absent. */
  readonly artifacts?: ArtifactPolicy
  /** What was measured of it, for whoever reads it: nothing that is compiled follows from it. */
  readonly metrics?: PolicyMetrics
  /** Of layout `payload`. */
  readonly payload?: PayloadPolicy
}
