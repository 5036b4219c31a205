import type { CompactionRecord } from './compaction.ts'
import type { CompressionRecord } from './compression.ts'
import type { StageRecord } from './compile-watch.ts'
import type { BudgetTier, Section } from './section.ts'
import type { LinkRecord } from './link-record.ts'
import type { StalenessSignal } from './hygiene.ts'
import type { Layout, PayloadMarkup } from './pack.ts'
import type { PackScope } from './pack-scope.ts'
import type { Outcome } from './outcome.ts'
import type { OverflowPolicy, ProvenanceLevel } from './policy-parts.ts'
import type { QualityRecord } from './quality.ts'
import type { ReliefRecord } from './relief.ts'
import type { Rung } from './rendition.ts'
import type { Situation } from './situation.ts'

/** Why an item is shown as it is. One word for one cause; every item has exactly one. */
export type ReasonCode =
  | 'fits'
  | 'pinned'
  | 'frozen'
  | 'recent'
  | 'error-kept'
  | 'ledger'
  | 'lossless'
  /** Shortened as the policy's compression has it. */
  | 'compressed'
  | 'repeats'
  | 'economy'
  | 'pressure'
  /** Shortened before the model has read it, since the request would not fit otherwise. */
  | 'window-full'
  | 'section-budget'
  | 'below-floor'
  | 'expired'
  | 'duplicate'
  | 'group'
  | 'overflow'
  | 'deferred'
  | 'quarantined'
  | 'out-of-scope'
  /** The layout has no place for what it is. */
  | 'no-place'
  /** Was brought back for a step that is over. */
  | 'released'
  /** The same thing was read, written or run again since. */
  | 'superseded'
  /** An error has shown that it does not hold. */
  | 'voided'
  /** The request has no pack and stands as the client sent it; no compile decides this. */
  | 'as-it-came'

/** What a compile decided about one item: the rung that is shown, and why. Sizes are in tokens. */
export interface ManifestDecision {
  readonly itemId: string
  readonly section: Section
  readonly contentHash: string
  readonly rung: Rung
  readonly reason: ReasonCode
  readonly originalTokens: number
  readonly tokens: number
  readonly score?: number
  readonly handle?: string
}

/** The budget of one section and its use. Sizes are in tokens. */
export interface ManifestSection {
  readonly section: Section
  readonly tier: BudgetTier
  readonly min: number
  readonly max: number
  readonly allocatedTokens: number
  readonly usedTokens: number
  readonly demandTokens: number
  readonly included: number
  readonly excluded: number
  /** Share of what is shown that a reader still has, by tokens of the originals; absent where nothing was shortened. */
  readonly fidelity?: number
}

/** Items that were shrunk or left out together, for one reason. */
export interface TruncationEvent {
  readonly section: Section
  readonly reason: ReasonCode
  readonly rung: Rung
  readonly itemIds: readonly string[]
  readonly removedTokens: number
}

/** Why an epoch began or was held, with the figures that decided. */
export interface EpochRecord {
  readonly epoch: number
  readonly decision: 'hold' | 'begin'
  readonly cause:
    | 'first-request'
    | 'cold-cache'
    | 'gain'
    | 'pressure'
    | 'history-changed'
    /** What was hidden cannot be asked for any more. */
    | 'policy-changed'
    | 'layout-changed'
    | 'step-changed'
    /** What was brought back for a step that is over goes at once, as the policy says. */
    | 'released'
    /** Holding on to old steps has cost more than a brief of them. */
    | 'compacted'
    /** A person has pinned what was shown shorter. */
    | 'pinned'
    | 'no-gain'
    | 'no-credit'
    | 'nothing-to-do'
  /** In input-token prices. */
  readonly rewriteCost: number
  readonly savingPerTurn: number
  readonly expectedTurns: number
  readonly credit: number
}

/** What the evidence of a compile says about its origin, and what its policy asked for. */
export interface ProvenanceRecord {
  readonly required: ProvenanceLevel
  /** Share of the members of its provenance that the evidence carries; 1 where all of it says everything. */
  readonly coverage: number
  /** Evidence that names no source; only a policy that asks for nothing lets it in. */
  readonly anonymousIds?: readonly string[]
}

/** What was done about one text that is suspected to hold orders; never the text itself. */
export interface SecurityFinding {
  readonly itemId: string
  /** In [0, 1]. */
  readonly score: number
  readonly reasons: readonly string[]
  /** `kept` where a conversation has sent it already; `left-out` where the pack does without it. */
  readonly action: 'logged' | 'quarantined' | 'kept' | 'left-out'
}

/** What a compile found and did for the safety of who reads the pack. */
export interface SecurityRecord {
  /** SHA-256 over the instructions of the section `policy`, as they stand in the pack. */
  readonly policyHash: string
  /** Share of the pack that is untrusted, weighted by how weakly it is isolated; in [0, 1]. */
  readonly surface: number
  /** The epoch that the boundaries of the sections were made for; absent where there are none. */
  readonly boundaryEpoch?: number
  /** The rest is absent where the policy asks for nothing. */
  readonly detector?: string
  readonly threshold?: number
  /** In the order of the items. */
  readonly findings?: readonly SecurityFinding[]
  /** Ids of items without the characters that nobody sees. */
  readonly strippedIds?: readonly string[]
}

/** What the constraints of a step's frame take, and which of them do not hold. */
export interface ConstraintRecord {
  /** Every copy counted. */
  readonly tokens: number
  /** Indexes of those before which others go. */
  readonly overruled: readonly number[]
}

/** A sentence, by the item or the part of the frame that it stands in (`frame.constraints[0]`), and its offsets there. */
export interface SentencePlace {
  readonly at: string
  readonly start: number
  readonly end: number
}

/** Two orders of a request that exclude each other, by their words. */
export interface Contradiction {
  /** `format`, `language`, `words`; `rule` where the same is asked for and forbidden. */
  readonly about: string
  readonly first: SentencePlace
  readonly second: SentencePlace
}

/** Media that a summary stands for. */
export interface SummaryMedia {
  readonly itemId: string
  readonly handle: string
}

/** A summary that stands in a pack, and what it stands for. */
export interface SummaryRecord {
  /** Names what was said, see `GivenSummary`. */
  readonly key: string
  /** Brings that back. */
  readonly handle: string
  /** In the order of the conversation. */
  readonly itemIds: readonly string[]
  /** Images, recordings and files among them, each with a handle of its own; absent where there are none. */
  readonly media?: readonly SummaryMedia[]
  readonly tokens: number
  /** What the items take as they came. */
  readonly sourceTokens: number
  /** The one over the other. */
  readonly keepRatio: number
  /** Who wrote it, and in which version, such as `extractive/1`. */
  readonly writer: string
}

/** What of a section a payload does not show; its handle brings back a list of it, with the handle of each item. */
export interface Omission {
  readonly section: Section
  readonly items: number
  readonly handle: string
}

/** An item that has had its time, and what is left of its relevance. */
export interface StaleItem {
  readonly itemId: string
  readonly signals: readonly StalenessSignal[]
  readonly relevance: number
}

/** What of the results, evidence and memory in a pack no later answer or call has used. */
export interface WasteRecord {
  /** Tokens of those that an answer has followed, as they are shown. */
  readonly sentTokens: number
  /** The part of them of which nothing was used. */
  readonly unusedTokens: number
  readonly unusedItems: number
  /** The dearest of these, 20 at most. */
  readonly unusedIds: readonly string[]
}

/**
 * The receipt of a pack. Everything in it is a pure function of the compile's input, so that it can be made again and
 * compared; ids and times of day are added by the host, outside.
 */
export interface Manifest {
  readonly schema: 'prehend.manifest/1'
  readonly packHash: string
  readonly inputHash: string
  readonly policyId: string
  readonly policyVersion: string
  /** Absent where the policy has none. */
  readonly policyRevision?: number
  /** As the host has told it, with the agent phase that was found where it told none; absent where nothing is known. */
  readonly situation?: Situation
  /** What the pack is for, as the host has told it. */
  readonly scope?: PackScope
  /** The policy's overrides that held, in the order in which they applied, such as `regime volatile`. */
  readonly overrides?: readonly string[]
  /** The strategy by which evidence and memory were to be looked for; absent where the policy has none. */
  readonly retrieval?: string
  /** What the policy does when not everything fits. */
  readonly overflow?: OverflowPolicy
  readonly tokenizerId: string
  readonly model?: string
  readonly layout: Layout
  /** Of layout `payload`. */
  readonly markup?: PayloadMarkup
  readonly outcome: Outcome['kind']
  readonly windowTokens: number
  readonly reserveTokens: number
  readonly overheadTokens: number
  /** Tokens of `packTokens` that no item owns: headers, contract, the step's frame, message wrappers. */
  readonly frameTokens?: number
  readonly originalTokens: number
  readonly packTokens: number
  /** Pack over window minus reserve. */
  readonly utilisation: number
  /** Marginal utility of one more token; absent where no section competed. */
  readonly shadowPrice?: number
  readonly signals: Readonly<Record<string, number>>
  /** The stages that ran, in their order, and what each has left; absent in receipts from before it was kept. */
  readonly stages?: readonly StageRecord[]
  readonly sections: readonly ManifestSection[]
  readonly decisions: readonly ManifestDecision[]
  readonly truncations: readonly TruncationEvent[]
  readonly epoch?: EpochRecord
  /** Present where this request was compacted in place. */
  readonly compaction?: CompactionRecord
  /** Present where the pack needs the tool that follows handles, which the request did not offer before; its definition is in `overheadTokens`. */
  readonly offers?: true
  /** Present where the policy leaves a provider's prompt cache alone. */
  readonly promptCache?: false
  /** Absent where the policy names no steps of relief. */
  readonly relief?: ReliefRecord
  /** Absent where nothing is summarised. */
  readonly summaries?: readonly SummaryRecord[]
  /** Where the evidence in the pack comes from, in the order of the items. */
  readonly artifactUris?: readonly string[]
  /** Absent where no evidence was given. */
  readonly provenance?: ProvenanceRecord
  /** Orders that exclude each other, 20 at most; absent where the policy does not look for them (`findContradictions`). */
  readonly contradictions?: readonly Contradiction[]
  /** Absent where the policy compresses nothing. */
  readonly compression?: CompressionRecord
  /** Absent where the policy does not track it (`trackWaste`). */
  readonly waste?: WasteRecord
  /** Absent where the policy does not ask for it (`measureQuality`, `quality`). */
  readonly quality?: QualityRecord
  /** Absent where neither the policy asks for a defense nor sections have boundaries. */
  readonly security?: SecurityRecord
  /** Absent where neither the policy lays payloads out nor a constraint was overruled. */
  readonly constraints?: ConstraintRecord
  /** Absent where the policy has no hygiene, or nothing is stale. */
  readonly stale?: readonly StaleItem[]
  /** Of a payload whose handles can be followed; absent where everything is shown, and on pages. */
  readonly omissions?: readonly Omission[]
  /** Links of items that the pack shows, in the order of the items; absent where there are none. */
  readonly links?: readonly LinkRecord[]
  /** True where the pack has no evidence at all. */
  readonly evidenceNeeded?: boolean
}
