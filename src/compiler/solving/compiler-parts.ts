import type { Entailment, Hasher, InjectionDetector, LadderMaker, Pack, Tokenizer } from '../../core/index.ts'
import type { ConversationPlanner, PlannerParts } from '../epochs/index.ts'
import type { ItemHistory } from '../hygiene/item-history.ts'
import type { ResolveBudget } from '../budget/resolve-budget.ts'
import type { ReadProvenance } from '../input/validate-provenance.ts'
import type { LinkItems } from '../items/linked-items.ts'
import type { ReadCandidates } from '../items/read-candidates.ts'
import type { LayoutParts } from '../layout/layout-parts.ts'
import type { ListMemory } from '../layout/durable-memory.ts'
import type { ListOmissions } from '../layout/omissions.ts'
import type { DigestPack } from '../receipt/pack-digests.ts'
import type { PackDigests } from '../receipt/pack-hash.ts'
import type { ReceiptParts } from '../receipt/receipt-parts.ts'
import type { ReferItems } from '../shrink/refer-items.ts'
import type { CompressItems } from '../shrink/compress-items.ts'
import type { JudgeItems } from '../security/judge-items.ts'
import type { Compress } from '../stages/compress.ts'
import type { RankItems } from '../stages/rank.ts'
import type { SummaryMemo } from '../summaries/summarist.ts'
import type { ArrivingArtifacts } from '../shrink/arriving-artifacts.ts'
import type { ArrivingMedia } from '../shrink/arriving-media.ts'
import type { Relieving } from './relieving.ts'
import type { Scorer } from '../stages/rank-rules.ts'

/** Reads conversations of agents: what layout `messages`, steps of relief and superseded tool results need. */
export interface ConversationReading {
  /** Makes the planner of epochs for a conversation. */
  planner(parts: PlannerParts): ConversationPlanner
  /** Makes the history of a conversation's items. */
  history(): ItemHistory
  readonly relief: Relieving
}

/** What a compiler is made with: what only a host can do fast, and what may be exchanged. */
export interface CompilerOptions {
  readonly tokenizer: Tokenizer
  /** SHA-256, as lower-case hexadecimal. */
  readonly hash: Hasher
  /** Instead of the built-in ladders, in both layouts. */
  readonly ladders?: LadderMaker
  /** Instead of the composite score. */
  readonly scorer?: Scorer
  /** Instead of the built-in detector of orders in data; asked only where a policy has a defense. */
  readonly detector?: InjectionDetector
  /** Instead of the built-in comparison of words; asked only where a policy's `quality.fidelity` is `entailed`. */
  readonly entailment?: Entailment
  /** What wrapping one message of layout `payload` costs. */
  readonly messageTokens?: number
}

/** What a compiler is made of that brings nothing by itself: no ladder, no detector and nothing that reads conversations. */
export interface BareCompilerOptions extends CompilerOptions {
  /** Needed for layout `messages`, for policies with `relief`, and for policies whose `hygiene` lets results of tools grow old. */
  readonly conversations?: ConversationReading
}

/** The stages and what they share. All of it answers the same to the same question, whatever it remembers. */
export interface CompilerParts extends LayoutParts, ReceiptParts {
  readonly readCandidates: ReadCandidates
  readonly readProvenance: ReadProvenance
  readonly detector: InjectionDetector
  readonly history: ItemHistory
  readonly relief: Relieving
  readonly judgeItems: JudgeItems
  readonly referItems: ReferItems
  readonly compressItems: CompressItems
  readonly arrivingArtifacts: ArrivingArtifacts
  readonly arrivingMedia: ArrivingMedia
  readonly linkItems: LinkItems
  readonly resolveBudget: ResolveBudget
  readonly rankItems: RankItems
  readonly compress: Compress
  readonly listOmissions: ListOmissions
  readonly listMemory: ListMemory
  readonly summaries: SummaryMemo
  readonly digestPack: DigestPack
  packHash(pack: Omit<Pack, 'hash'>, known?: PackDigests): string
}
