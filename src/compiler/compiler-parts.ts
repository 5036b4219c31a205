import type { CompileInput, Hasher, LadderMaker, Pack, PackEntry, RankWeights, Tokenizer } from '../core/index.ts'
import type { Candidate } from './candidate.ts'
import type { ReadCandidates } from './read-candidates.ts'
import type { ConversationPlanner } from './conversation/index.ts'
import type { Piece } from './layout/piece.ts'
import type { KnownHashes } from './receipt/pack-hash.ts'
import type { ShownReader } from './shown.ts'
import type { CompressSection } from './stages/compress-section.ts'
import type { Scorer } from './stages/rank-items.ts'

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
  /** What wrapping one message of layout `pack` costs. */
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
  score(candidate: Candidate, tokens: number, rank: { readonly weights: RankWeights; readonly key: string }): number
  count(text: string): number
  hash(text: string): string
  piece(text: string): Piece
  inputHash(input: CompileInput, candidates: readonly Candidate[]): string
  entryLine(entry: PackEntry): string
  packHash(pack: Omit<Pack, 'hash'>, known?: KnownHashes): string
}
