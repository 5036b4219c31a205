import type { CompileInput, Hasher, Item, LadderMaker, Pack, PackEntry, Tokenizer } from '../core/index.ts'
import type { CandidateList, ReadCandidates } from './read-candidates.ts'
import type { ConversationPlanner } from './epochs/index.ts'
import type { Piece } from './layout/piece.ts'
import type { ReportSections } from './receipt/report-sections.ts'
import type { KnownHashes } from './receipt/pack-hash.ts'
import type { ShownReader } from './shown.ts'
import type { AssemblePack } from './stages/assemble-pack.ts'
import type { CompressSection } from './stages/compress-section.ts'
import type { RankItems, Scorer } from './stages/rank-items.ts'

/** What a compiler is made with: what only a host can do fast, and what may be exchanged. */
export interface CompilerOptions {
  readonly tokenizer: Tokenizer
  /** SHA-256, as lower-case hexadecimal. */
  readonly hash: Hasher
  /** Instead of the built-in ladders. */
  readonly ladders?: LadderMaker
  /** Instead of the composite score. */
  readonly scorer?: Scorer
  /** Instead of the built-in planner of layout `messages`. */
  readonly planner?: ConversationPlanner
  /** What wrapping one message of layout `payload` costs. */
  readonly messageTokens?: number
}

/** What the stages share. All of it answers the same to the same question, whatever it remembers. */
export interface CompilerParts {
  readonly tokenizerId: string
  readonly messageTokens: number
  readonly readCandidates: ReadCandidates
  readonly shown: ShownReader
  readonly planner: ConversationPlanner
  readonly compressSection: CompressSection
  readonly rankItems: RankItems
  readonly reportSections: ReportSections
  readonly assemblePack: AssemblePack
  count(text: string): number
  itemTokens(item: Item): number
  hash(text: string): string
  piece(text: string): Piece
  inputHash(input: CompileInput, list: CandidateList): string
  entryLine(entry: PackEntry): string
  packHash(pack: Omit<Pack, 'hash'>, known?: KnownHashes): string
}
