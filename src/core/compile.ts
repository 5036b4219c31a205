import type { ItemSimilarity } from './references.ts'
import type { RiskLevel, StepLimits } from './step-limits.ts'
import type { ProviderEditing } from './provider-editing.ts'
import type { Budget, SectionBudget } from './budget.ts'
import type { CachePrices } from './usage.ts'
import type { CompactionOrder } from './compaction.ts'
import type { Constraint } from './constraint.ts'
import type { CompileEvent } from './events.ts'
import type { Item } from './item.ts'
import type { Layout, Pack, PayloadMarkup } from './pack.ts'
import type { Ledger } from './ledger.ts'
import type { Manifest } from './manifest.ts'
import type { MediaMaking } from './media-policy.ts'
import type { PackScope } from './pack-scope.ts'
import type { Outcome, RefusalKind } from './outcome.ts'
import type { Policy } from './policy.ts'
import type { SessionLengths } from './session-lengths.ts'
import type { Situation } from './situation.ts'
import type { GivenSummary } from './summary.ts'
import type { TaskState } from './task-state.ts'

/** What the caller knows about the next step; every signal is in its natural unit and normalised inside. */
export interface AllocatorSignals {
  readonly checklistEvidenceRatio?: number
  readonly expectedToolCalls?: number
  readonly risk?: RiskLevel
  readonly retrievalHitRate?: number
  readonly similarity?: number
  readonly freshnessDays?: number
  readonly unresolvedQuestions?: number
  readonly dialogueDepth?: number
}

/** The window, and optional bounds per section that override the policy's shares. */
export interface BudgetRequest {
  readonly windowTokens: number
  readonly maxOutputTokens?: number
  /** Framing that no item owns. */
  readonly overheadTokens?: number
  /** The part of it that pass-through would not send, such as definitions of tools of ours; 0 by default. */
  readonly ownTokens?: number
  /**
   * What the definition of the tool that follows handles would add, where the request does not offer it yet. The first form of layout
   * `messages` that needs a handle pays for it, and for writing the request anew; `offers` of the manifest says so.
   */
  readonly offerTokens?: number
  readonly sections?: readonly (Partial<SectionBudget> & Pick<SectionBudget, 'section'>)[]
}

/** The step a pack is built for. A frame with a goal is a task: its step and at least one acceptance criterion are required. */
/** Something that the model must heed in this step. */
export interface StepWarning {
  readonly text: string
  /** Such as `low` or `critical`. */
  readonly severity: string
}

/** The task and the step that a pack is for. Each part of it stands in the pack. */
export interface StepFrame {
  readonly role?: string
  readonly goal?: string
  readonly step?: string
  /** How far the task has come; stands with the step. */
  readonly state?: TaskState
  readonly limits?: StepLimits
  /** What else must hold: words, or what more is known of them. */
  readonly constraints?: readonly (string | Constraint)[]
  /** They stand with the constraints, and are never shortened. */
  readonly warnings?: readonly StepWarning[]
  readonly acceptance?: readonly string[]
  /** The user's words; they stand in the pack verbatim. */
  readonly request: string
}

/** What the boundaries of a payload's sections are made of, so that nobody can guess them and they stay the same from turn to turn. */
export interface BoundaryRequest {
  /** Known to the host only; it stands in no receipt. */
  readonly secret: string
  /** Names the session. */
  readonly session: string
}

/** Everything that a compile depends on. The same input gives the same bytes. */
export interface CompileInput {
  /** In wire order for layout `messages`; in order of arrival for layout `payload`. */
  readonly items: readonly Item[]
  readonly budget: BudgetRequest
  readonly policy: Policy
  readonly layout: Layout
  /** Of layout `payload`; a session keeps to one. */
  readonly markup?: PayloadMarkup
  /** Names a class of tasks for which the policy may have an overflow of its own. */
  readonly taskClass?: string
  /** What the request is part of: selects the policy's overrides. Its `taskClass` goes before the one above. */
  readonly situation?: Situation
  readonly model?: string
  readonly frame?: StepFrame
  /** The step and the agent that the pack is for; stands in its receipt, and leaves out what is private to others. */
  readonly scope?: PackScope
  readonly ledger?: Ledger
  /** The caller's clock; used only to tell whether the cache is still warm. */
  readonly nowMs?: number
  readonly prices?: CachePrices
  /** When the conversation is compacted, in place of the policy's own rule; of layout `messages`. */
  readonly compaction?: CompactionOrder
  /** What the provider is asked to do to a conversation by itself; of layout `messages`. */
  readonly editing?: ProviderEditing
  /** How long earlier sessions were, from which a policy with `debtShare` learns how many requests are still to come. */
  readonly sessionLengths?: SessionLengths
  /**
   * What the tenant's other sessions have saved together, less what they owe, in input-token prices. A session borrows no more than that; where it is
   * negative, the session keeps as much of what it saves. Absent: only the policy bounds what it may owe.
   */
  readonly tenantCredit?: number
  readonly signals?: AllocatorSignals
  /** Mixed into handles so that they cannot be guessed across tenants. */
  readonly handleKey?: string
  /** Names of tools that were put into the conversation by us: requests that end in one exist only because of us. */
  readonly hiddenTools?: readonly string[]
  /** Sections of layout `payload` stand between boundaries where it is given. */
  readonly boundary?: BoundaryRequest
  /** How likely items hold orders, by id, of those who know more than the detector; the higher score counts. In [0, 1]. */
  readonly suspicions?: Readonly<Record<string, number>>
  /** How alike items are, of those who know more than their words tell; asked where a policy makes references. */
  readonly similarities?: readonly ItemSimilarity[]
  /** Summaries that somebody has written before the compile; what they are not of is summarised in its own words. */
  readonly summaries?: readonly GivenSummary[]
  /** What can be made of media once it is decided; nothing is to be made where it is absent. */
  readonly making?: MediaMaking
  /** Whether handles can be followed; when false only rungs that lose nothing are used. */
  readonly rehydration?: boolean
}

interface CompileRecord {
  readonly manifest: Manifest
  readonly ledger: Ledger
  readonly events: readonly CompileEvent[]
  readonly budget: Budget
}

type Concluded<Kind extends Outcome['kind']> = CompileRecord & {
  /** The kind of the outcome. TypeScript narrows `pack` and `outcome` by it, destructured or not. */
  readonly kind: Kind
  readonly outcome: Extract<Outcome, { readonly kind: Kind }>
} & (Kind extends RefusalKind ? { readonly pack?: undefined } : { readonly pack: Pack })

/**
 * How a compile ended, its pack and its receipt. There is no pack exactly when `kind` is `budget-exhausted` or `split-required`.
 *
 * ```ts
 * const { kind, outcome, pack } = compile(input)
 * if (kind === 'ok') console.log(pack.tokens, outcome.omitted)
 * ```
 */
export type CompileResult = { readonly [Kind in Outcome['kind']]: Concluded<Kind> }[Outcome['kind']]
