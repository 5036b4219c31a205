import type { CompileInput, CompileResult, Item } from '../core/index.ts'
import { itemTokens } from '../core/index.ts'
import { ladderFor } from '../ladders/index.ts'
import { budgetResolver } from './budget/resolve-budget.ts'
import { compile } from './compile.ts'
import type { CompilerOptions, CompilerParts } from './compiler-parts.ts'
import { conversationPlanner } from './epochs/index.ts'
import { formReader } from './forms/form-reader.ts'
import { contentHasher } from './items/item-keys.ts'
import { provenanceReader } from './input/validate-provenance.ts'
import { candidatesReader } from './items/read-candidates.ts'
import { textMemo } from './items/text-memo.ts'
import { payloadAssembler } from './layout/assemble-payload.ts'
import type { Piece } from './layout/piece.ts'
import { decider } from './receipt/decide.ts'
import { inputHasher } from './receipt/input-hash.ts'
import { packHasher } from './receipt/pack-hash.ts'
import { sectionReporter } from './receipt/report-sections.ts'
import { compressor } from './stages/compress.ts'
import { sectionCompressor } from './stages/compress-section.ts'
import { itemRanker } from './stages/rank.ts'
import { rememberLedger, requireKnownSections, validateInput } from './input/validate-input.ts'

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
  return {
    compile(input) {
      validateInput(input)
      const list = parts.readCandidates(input.items)
      requireKnownSections(input, list.sections)
      const result = compile(parts, input, list)
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
  const forms = formReader({ ladders, messageTokens, count, itemTokens: tokensOf })
  const pieces = textMemo<Piece>((text) => ({ fragment: text, tokens: count(text), digest: undefined }))
  const textHashes = textMemo(hash)
  const packs = packHasher(hash, (text) => textHashes.get(text))
  const compressSection = sectionCompressor((candidate, setting) => forms.ladder(candidate, setting))
  return {
    tokenizerId: tokenizer.id,
    messageTokens,
    readCandidates: candidatesReader(contentHash),
    readProvenance: provenanceReader(),
    resolveBudget: budgetResolver(),
    forms,
    openConversation: conversationPlanner({ ladders, itemTokens: tokensOf, hash, contentHash }),
    rankItems: itemRanker(scorer),
    compress: compressor({ forms, compressSection }),
    payloadAssembly: payloadAssembler(),
    decide: decider(),
    reportSections: sectionReporter(),
    itemTokens: tokensOf,
    hash,
    piece: (text) => pieces.get(text),
    inputHash: inputHasher(hash, tokenizer.id),
    entryLine: (entry) => packs.entryLine(entry),
    packHash: (pack, known) => packs.of(pack, known),
  }
}
