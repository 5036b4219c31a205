import type {
  CompileInput,
  Entailment,
  Hasher,
  InjectionDetector,
  Item,
  LadderMaker,
  Pack,
  Tokenizer,
} from '../core/index.ts'
import type { ResolveBudget } from './budget/resolve-budget.ts'
import type { ConversationPlanner } from './epochs/index.ts'
import type { FormReader } from './forms/form-reader.ts'
import type { ReadProvenance } from './input/validate-provenance.ts'
import type { LinkItems } from './items/linked-items.ts'
import type { CandidateList, ReadCandidates } from './items/read-candidates.ts'
import type { Surroundings } from './layout/frame-tokens.ts'
import type { ListMemory } from './layout/durable-memory.ts'
import type { ListOmissions } from './layout/omissions.ts'
import type { Piece } from './layout/piece.ts'
import type { QualityMeter } from './quality/quality-meter.ts'
import type { Decide } from './receipt/decide.ts'
import type { DigestPack } from './receipt/pack-digests.ts'
import type { PackDigests } from './receipt/pack-hash.ts'
import type { ReportSections } from './receipt/report-sections.ts'
import type { ReferItems } from './shrink/refer-items.ts'
import type { CompressItems } from './shrink/compress-items.ts'
import type { JudgeItems } from './security/judge-items.ts'
import type { Assembly } from './stages/assemble.ts'
import type { Compress } from './stages/compress.ts'
import type { RankItems } from './stages/rank.ts'
import type { SummaryMemo } from './summaries/summarist.ts'
import type { ArrivingMedia } from './shrink/arriving-media.ts'
import type { Scorer } from './stages/rank-rules.ts'

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

/** The stages and what they share. All of it answers the same to the same question, whatever it remembers. */
export interface CompilerParts {
  readonly tokenizerId: string
  readonly messageTokens: number
  readonly readCandidates: ReadCandidates
  readonly readProvenance: ReadProvenance
  readonly detector: InjectionDetector
  readonly judgeItems: JudgeItems
  readonly referItems: ReferItems
  readonly compressItems: CompressItems
  readonly arrivingMedia: ArrivingMedia
  readonly linkItems: LinkItems
  readonly resolveBudget: ResolveBudget
  readonly forms: FormReader
  readonly openConversation: ConversationPlanner
  readonly rankItems: RankItems
  readonly compress: Compress
  readonly listOmissions: ListOmissions
  readonly listMemory: ListMemory
  readonly payloadAssembly: (frame: Surroundings) => Assembly
  readonly decide: Decide
  readonly reportSections: ReportSections
  readonly summaries: SummaryMemo
  readonly measureQuality: QualityMeter
  readonly digestPack: DigestPack
  itemTokens(item: Item, text?: string): number
  hash(text: string): string
  piece(text: string): Piece
  /** The same key, as the one object that it is compared with at sight. */
  settingKey(key: string): string
  inputHash(input: CompileInput, list: CandidateList): string
  packHash(pack: Omit<Pack, 'hash'>, known?: PackDigests): string
}
