import type { Section } from './section.ts'

export const overflowPolicies = [
  'truncate-lowest',
  'cascade-compress',
  'defer-retrieval',
  'fail-loud',
  'paginate',
] as const
/** What is done when not everything fits. */
export type OverflowPolicy = (typeof overflowPolicies)[number]

export const toolSchemaLevels = ['none', 'minify', 'truncate', 'aggressive'] as const
/** How far definitions of tools may be shortened for want of room; each level includes those before it. */
export type ToolSchemaLevel = (typeof toolSchemaLevels)[number]

/** Share of the window and utility of one section, before a window is known. */
export interface SectionShare {
  readonly section: Section
  /** Fractions of the window. */
  readonly min: number
  readonly max: number
  readonly weight: number
}

/** Floors that candidates must reach. */
export interface Floors {
  readonly relevance: number
  readonly freshness: number
  readonly authority: number
}

/** Weights of the composite score; they need not sum to 1. */
export interface RankWeights {
  readonly relevance: number
  readonly authority: number
  readonly freshness: number
  readonly utility: number
  /** How sure whoever found or remembers it is; 0 by default. */
  readonly confidence?: number
  /** Reward for small items. */
  readonly thrift: number
}

export const rankTies = ['arrival', 'id'] as const
/** What goes first of two items with the same score: what came first, or what has the lower id. */
export type RankTies = (typeof rankTies)[number]

export const rankScorers = ['composite', 'attention', 'request'] as const
/**
 * How items are scored: by a weighted mean of what is known of them, by how much attention they deserve, or by a mean in which what is not
 * known of their relevance is what their words have to do with the request.
 */
export type RankScorer = (typeof rankScorers)[number]

export const attentionComponents = ['pragmatic', 'epistemic', 'affective', 'urgency'] as const
/** Why an item deserves attention; each in [0, 1] and added up. */
export type AttentionComponent = (typeof attentionComponents)[number]

export const rankPresetNames = ['retrieval'] as const
/** Weights of one section by a name. */
export type RankPreset = (typeof rankPresetNames)[number]

/** How the items of one section are ranked, as far as it is another way: a preset, and figures of its own on it. */
export interface SectionRank extends Partial<RankWeights> {
  readonly preset?: RankPreset
  readonly ties?: RankTies
}

/** What has been learnt about categories of items. */
export interface LearnedRank {
  /** By an item's category, or its section where it has none; scores are multiplied by it. In [0, 1]. */
  readonly weights: Readonly<Record<string, number>>
  /** Items of categories that are worth less are left out; 0.3 by default. */
  readonly floor?: number
}

/** How candidates are ranked. The weights are those of every section that has none of its own. */
export interface RankPolicy extends RankWeights {
  /** `arrival` by default. */
  readonly ties?: RankTies
  /** `composite` by default. */
  readonly scorer?: RankScorer
  /** Of scorer `attention`: what has been learnt about its components, from 0.5 to 2; 1 by default. */
  readonly multipliers?: Readonly<Partial<Record<AttentionComponent, number>>>
  readonly sections?: Readonly<Record<string, SectionRank>>
  readonly learned?: LearnedRank
}

export const lowestRungs = ['lossless', 'trimmed', 'line'] as const
/** The rungs at which an epoch may stop. */
export type LowestRung = (typeof lowestRungs)[number]

/** How a conversation is thinned while the provider's cache is kept warm. */
export const ownCallRules = ['whole', 'spent', 'any'] as const
/** What of the model's own calls may go; see `EpochPolicy.ownCalls`. */
export type OwnCalls = (typeof ownCallRules)[number]

export const mediaRetentions = ['whole', 'superseded', 'any'] as const
/** What of a conversation's pictures, recordings and files may go; see `EpochPolicy.media`. */
export type MediaRetention = (typeof mediaRetentions)[number]

/** What a brief may hold, in tokens, and for how long a file counts as at work. */
export interface BriefBudgets {
  /** Views of files around their edits. */
  readonly views: number
  /** Steps within which a file that was read or changed is at work. */
  readonly viewSteps: number
  /** Open tasks of plan files and of tools for tasks. */
  readonly tasks: number
  /** Imports and definitions of files that were read. */
  readonly outlines: number
  /** Lines of results that are worth most. */
  readonly lines: number
}

/** When a run of old steps becomes a brief, and what stays whole. */
export interface CompactionPolicy extends BriefBudgets {
  /**
   * Steps are compacted once holding on to them has cost, times this, what writing the rest anew costs. More is sooner; 1 pays never more
   * than twice what hindsight would have paid.
   */
  readonly patience: number
  /** Newest steps that stay whole, at least; a full window may take more. */
  readonly newestSteps: number
  /** Newest tokens of the conversation that stay whole, at least. */
  readonly newestTokens: number
  /** The most that a session may owe for it, as a share of what sending everything has cost so far. */
  readonly loanShare: number
}

export const lineWorthUnits = ['token', 'character'] as const
/** The unit in which `EpochPolicy.lineWorth` prices a line. */
export type LineWorthUnit = (typeof lineWorthUnits)[number]

/** How a result is trimmed right after the reply that has read it; see `EpochPolicy.justRead`. */
export interface JustReadPolicy {
  /** As `EpochPolicy.lineWorth`. */
  readonly lineWorth: number
  /** Lines that stay on each side of a line that holds a name of the reply. */
  readonly around: number
  /** Smaller results stay whole; 150 tokens by default. */
  readonly leastTokens?: number
  /** The share of a result that must go; a quarter by default. */
  readonly leastShare?: number
  /** Requests within which the saving must repay the rewriting; 12 by default. */
  readonly payWithin?: number
  /** Later steps of a conversation are not trimmed, since a brief takes them soon; no limit where absent. */
  readonly steps?: number
}

/** How a conversation is thinned while the provider's cache is kept warm. */
export interface EpochPolicy {
  /** The dearest loss allowed; with `lossless` nothing is ever hidden. */
  readonly lowestRung: LowestRung
  /** Newest tool results that are always shown in full. */
  readonly keepFull: number
  /** Newest tokens of the conversation that an epoch leaves alone. */
  readonly keepTokens: number
  /** Failed observations stay in full for this many tool results. */
  readonly keepErrors: number
  /**
   * Expected later uses that a line must have per token to stay when its result is trimmed. Higher keeps fewer lines.
   */
  readonly lineWorth: number
  /**
   * What of the model's own calls may go: nothing; what is spent, that is, texts that it has replaced, written anew or removed since, and
   * lines that stand elsewhere; or any line that is not worth its tokens.
   */
  readonly ownCalls: OwnCalls
  /** Strings in tool calls longer than this many tokens may be shortened. */
  readonly callTokens: number
  /**
   * What of pictures, recordings and files may be shown as one line: nothing; what newer ones of the same kind and size have taken the place
   * of, as the next screenshot does; or whatever tools have brought. What a user has attached goes only where it is superseded.
   * `superseded` by default.
   */
  readonly media?: MediaRetention
  /**
   * Tokens of a session's first request from which on the tool that brings back what is left out stands in it at once; in shorter ones it
   * comes with the first form that needs it, which pays for writing the request anew. 0 by default: it stands in every session at once.
   */
  readonly toolFrom?: number
  /** Requests a session is expected to have left before anything is known about it. */
  readonly expectedTurns: number
  /**
   * A new epoch begins once holding on has cost this much of what the rewriting costs. 1 is the break-even rule that
   * never pays more than twice what hindsight would have paid.
   */
  readonly patience: number
  /** Share of what the session has saved against pass-through that a new epoch may spend; at most 1. */
  readonly riskShare: number
  /** Rehydrations whose price stays in hand when an epoch is paid for. */
  readonly reserveCalls: number
  /** A session that has saved nothing yet may borrow for an epoch once it has had this many requests. */
  readonly loanAfter: number
  /** The most it may borrow, as a share of what pass-through has cost so far. */
  readonly loanShare: number
  /** Share of the requests so far within which it must have paid that back. */
  readonly loanWithin: number
  /** When old steps become a brief; never by default. */
  readonly compaction?: CompactionPolicy
  /**
   * The most that a session may owe at any moment, as a share of what sending everything has cost so far. It takes the place of `loanAfter`,
   * `loanShare` and `loanWithin`: any session may borrow at any time. Absent: those three hold.
   */
  readonly debtShare?: number
  /** Share of the requests still expected within which an epoch in debt must pay for itself; a quarter by default. */
  readonly payback?: number
  /**
   * Results are trimmed once, right after the reply that has read them: only that reply stands behind them, so little is written anew. It is decided
   * in every request, apart from epochs. Absent: results wait for an epoch.
   */
  readonly justRead?: JustReadPolicy
  /** Whether a result is as old as the last call that names its file; `false` by default: as old as its own call. */
  readonly touchAge?: boolean
  /**
   * Assistant text behind this many newer results may be shortened in an epoch: its first and its deciding sentences stay, and its questions. Absent: it
   * stays whole.
   */
  readonly oldText?: number
  /**
   * `lineWorth` of results of other kinds than coding runs consist of (code, search results, listings, diffs, output of tests and builds, logs): pages,
   * tables, mails, data. The same as `lineWorth` where absent.
   */
  readonly dataLineWorth?: number
  /**
   * Texts of at least so many tokens that an edit has replaced are folded in the first request that sends the edit, which costs no rewriting. What the edit
   * wrote in their place stays, and so does an edit that failed. Absent: they stay until an epoch (`ownCalls`).
   */
  readonly replacedTokens?: number
  /** What `lineWorth` is a price of; `token` by default. By `character` every tokenizer folds the same lines. */
  readonly lineWorthPer?: LineWorthUnit
}

export const requiredParts = ['policy', 'goal', 'step', 'acceptance', 'evidence'] as const
/** A part of a pack that a policy may insist on. */
export type RequiredPart = (typeof requiredParts)[number]

export const provenanceLevels = ['none', 'source', 'full'] as const
/** What evidence must say about its origin: nothing at all, at least its source, or all of it. */
export type ProvenanceLevel = (typeof provenanceLevels)[number]

/** What is done as a window fills up, in shares of it. */
export interface Pressure {
  /** Background work starts; so far a conversation is shortened that has too little room, or further, by `lowest`. */
  readonly prepare: number
  /** Shortening starts where it breaks nothing that a provider has cached. */
  readonly compress: number
  /** Shortening starts whatever it breaks, and old turns and schemas may be shortened too. */
  readonly evict: number
  /** Replies for which a conversation makes room when it is shortened for want of it, so that its cache does not break at each; 0 by default. */
  readonly roomTurns?: number
  /** It is not shortened below this for that; `prepare` by default. */
  readonly lowest?: number
}

export const defenseActions = ['off', 'log', 'quarantine', 'reject'] as const
/** What is done about a text that is suspected to hold orders: nothing, a note in the receipt, quoted line by line as data, or the compile refused. */
export type DefenseAction = (typeof defenseActions)[number]

export const userActions = ['off', 'log', 'reject'] as const
/** Of the words of users, which are never written otherwise. */
export type UserAction = (typeof userActions)[number]

export const cappedFields = ['instructions', 'user', 'result', 'evidence', 'memory'] as const
/** Kinds of texts that may be capped. */
export type CappedField = (typeof cappedFields)[number]

/** What is done about orders in data. */
export interface DefensePolicy {
  /** A text that scores so much or more is suspected; in [0, 1]. */
  readonly threshold: number
  /** For results of tools, evidence and memory. */
  readonly untrusted: DefenseAction
  /** For the words of users. */
  readonly semiTrusted: UserAction
  /** For replies that do or say what only suspected data ask for; `log` by default. */
  readonly replies?: UserAction
  /** Whether characters that nobody sees are left out of untrusted texts. */
  readonly stripInvisible?: boolean
  /** The most characters of one text; what is longer is refused and never cut. */
  readonly maxChars?: Readonly<Partial<Record<CappedField, number>>>
  /** The largest surface for injection that a pack may have, in [0, 1]. */
  readonly maxSurface?: number
}

/** How a policy has done so far. */
export interface PolicyMetrics {
  /** Mean quality of what was decided under it, in [0, 1]. */
  readonly decisionQuality?: number
  /** Decisions for every thousand tokens. */
  readonly tokenEfficiency?: number
  /** When it was last held against its records, in milliseconds since the epoch. */
  readonly validatedMs?: number
}
