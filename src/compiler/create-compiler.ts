import type { CompileInput, CompileResult, Item } from '../core/index.ts'
import { itemTokens } from '../core/index.ts'
import { ladderFor } from '../ladders/index.ts'
import { compileMessages } from './compile-messages.ts'
import { packCompiler } from './compile-pack.ts'
import type { CompilerOptions, CompilerParts } from './compiler-parts.ts'
import { conversationPlanner } from './epochs/index.ts'
import { contentHasher } from './epochs/item-keys.ts'
import { candidatesReader } from './read-candidates.ts'
import { sectionReporter } from './receipt/report-sections.ts'
import { inputHasher } from './receipt/input-hash.ts'
import { packHasher } from './receipt/pack-hash.ts'
import { shownReader } from './shown.ts'
import type { Piece } from './layout/piece.ts'
import { packAssembler } from './stages/assemble-pack.ts'
import { sectionCompressor } from './stages/compress-section.ts'
import { itemRanker } from './stages/rank-items.ts'
import { textMemo } from './text-memo.ts'
import { rememberLedger, requireKnownSections, validateInput } from './validate-input.ts'

export interface Compiler {
  /**
   * Compiles typed context into a request that fits its budget. Pure: the same input gives the same bytes, whatever was
   * compiled before. Throws `invalid-input` and `compile-assertion`; everything else is an outcome.
   */
  compile(input: CompileInput): CompileResult
}

/** A compiler remembers counts, hashes and renditions of what it has seen, in bounded memory. */
export function createCompiler(options: CompilerOptions): Compiler {
  const parts = compilerParts(options)
  const compilePack = packCompiler(parts)
  return {
    compile(input) {
      validateInput(input)
      const list = parts.readCandidates(input.items)
      requireKnownSections(input, list.sections)
      const result = input.layout === 'messages' ? compileMessages(parts, input, list) : compilePack(input, list)
      rememberLedger(result.ledger)
      return result
    },
  }
}

/** Tokens that providers add around a message in a chat. */
const usualMessageTokens = 4

function compilerParts(options: CompilerOptions): CompilerParts {
  const { tokenizer, hash, ladders = ladderFor, scorer } = options
  const messageTokens = options.messageTokens ?? usualMessageTokens
  const count = (text: string): number => tokenizer.count(text)
  const contentHash = contentHasher(hash)
  const tokensOf = (item: Item, text?: string): number => itemTokens(tokenizer, item, text)
  const shown = shownReader({ ladders, messageTokens, count, itemTokens: tokensOf })
  const pieces = textMemo<Piece>((text) => ({ fragment: text, tokens: count(text), digest: undefined }))
  const textHashes = textMemo(hash)
  const packs = packHasher(hash, (text) => textHashes.get(text))
  return {
    tokenizerId: tokenizer.id,
    messageTokens,
    readCandidates: candidatesReader(contentHash),
    shown,
    compressSection: sectionCompressor((candidate, setting) => shown.ladder(candidate, setting)),
    planner: options.planner ?? conversationPlanner({ ladders, count, hash, contentHash }),
    rankItems: itemRanker(scorer),
    reportSections: sectionReporter(),
    assemblePack: packAssembler(),
    count,
    itemTokens: tokensOf,
    hash,
    piece: (text) => pieces.get(text),
    inputHash: inputHasher(hash, tokenizer.id),
    entryLine: (entry) => packs.entryLine(entry),
    packHash: (pack, known) => packs.of(pack, known),
  }
}
