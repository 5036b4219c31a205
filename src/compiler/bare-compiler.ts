import type { CompileInput, CompileResult, CompileWatch, Entailment, Item } from '../core/index.ts'
import { itemTokens, madeTokens, textMemo } from '../core/index.ts'
import { wholeOnly } from '../ladders/index.ts'
import { budgetResolver } from './budget/resolve-budget.ts'
import { compile } from './compile.ts'
import type { BareCompilerOptions, CompilerParts } from './solving/compiler-parts.ts'
import { noConversations, noDetector, requireParts } from './missing-parts.ts'
import { formReader } from './items/form-reader.ts'
import { contentHasherByText } from './items/item-keys.ts'
import { provenanceReader } from './input/validate-provenance.ts'
import { candidateReader } from './items/candidate.ts'
import type { Candidate, CandidateReader } from './items/candidate.ts'
import { summaryMemo } from './summaries/summarist.ts'
import { itemLinker } from './items/linked-items.ts'
import { candidatesReader } from './items/read-candidates.ts'
import { payloadAssembler } from './layout/assemble-payload.ts'
import { memoryLister } from './layout/durable-memory.ts'
import { omissionLister } from './layout/omissions.ts'
import type { Piece } from './forms/piece.ts'
import { inForce, toldInForce } from './policy/in-force.ts'
import { entailedFidelity } from './quality/entailed-fidelity.ts'
import { statedFidelity } from './quality/fidelity-of.ts'
import { lexicalEntailment } from './quality/lexical-entailment.ts'
import { qualityMeter } from './quality/quality-meter.ts'
import { decider } from './receipt/decide.ts'
import { inputHasher } from './receipt/input-hash.ts'
import { packDigester } from './receipt/pack-digests.ts'
import { packHasher } from './receipt/pack-hash.ts'
import { sectionReporter } from './receipt/report-sections.ts'
import { arrivingArtifacts } from './shrink/arriving-artifacts.ts'
import { arrivingMedia } from './shrink/arriving-media.ts'
import { itemReferrer } from './shrink/refer-items.ts'
import { itemCompressor } from './shrink/compress-items.ts'
import { itemJudge } from './security/judge-items.ts'
import { compressor } from './stages/compress.ts'
import { sectionCompressor } from './stages/compress-section.ts'
import { keptLadders } from './stages/kept-ladders.ts'
import { itemRanker } from './stages/rank.ts'
import { keptForms, wholeForms } from './stages/section-forms.ts'
import type { Scorer } from './stages/rank-rules.ts'
import { rememberLedger, requireKnownSections, validateInput } from './input/validate-input.ts'
import { compileFigures } from './solving/watch-stages.ts'
import { watched } from './solving/watched.ts'

/** Compiles typed context, and remembers counts and hashes between compiles. */
export interface Compiler {
  /**
   * Compiles typed context into a request that fits its budget. Pure: the same input gives the same bytes, whatever was
   * compiled before. Throws `invalid-input`, `compile-assertion` and, where its policy has a defense or its sections boundaries,
   * `security`; everything else is an outcome. Whoever watches is told of its stages.
   */
  compile(input: CompileInput, watch?: CompileWatch): CompileResult
  /**
   * A compiler for the requests of one conversation: it shares what this one knows of texts, and remembers a last request
   * of its own, so that requests of many conversations in turn cost what those of one cost.
   */
  forConversation(): Compiler
}

/**
 * A compiler with nothing but what it is given. It remembers counts, hashes and renditions of what it has seen, in bounded memory. An input
 * that needs a part that was not given is `invalid-input`.
 */
export function bareCompiler(options: BareCompilerOptions): Compiler {
  return compilerWith(sharedParts(options))
}

function compilerWith(shared: SharedParts): Compiler {
  const parts: CompilerParts = { ...shared, ...partsOfConversation(shared) }
  return {
    compile: (input, watch) =>
      watched(watch, { stage: 'compile', run: () => compiled(parts, input, watch), figures: compileFigures }),
    forConversation: () => compilerWith(shared),
  }
}

function compiled(parts: CompilerParts, input: CompileInput, watch: CompileWatch | undefined): CompileResult {
  validateInput(input)
  requireParts(input, parts)
  const list = parts.readCandidates(input.items)
  const found = inForce(input, list, (candidate) => sizeOf(parts, candidate))
  const asked = found?.input ?? input
  requireKnownSections(asked, list.sections)
  const packed = compile(parts, asked, list, watch)
  const result = found === undefined ? packed : toldInForce(packed, found)
  rememberLedger(result.ledger)
  return result
}

function sizeOf(parts: CompilerParts, { item, memo }: Candidate): number {
  return item.tokens ?? (memo.tokens ??= parts.itemTokens(item))
}

/** Tokens that providers add around a message in a chat. */
const usualMessageTokens = 4

/** What depends on texts and items alone. */
interface SharedParts extends Omit<CompilerParts, keyof ConversationParts> {
  readonly candidateReader: CandidateReader
  readonly scorer: Scorer | undefined
  readonly entailment: Entailment
  textHash(text: string): string
}

function sharedParts(options: BareCompilerOptions): SharedParts {
  const {
    tokenizer,
    hash,
    ladders = wholeOnly,
    scorer,
    detector = noDetector,
    entailment = lexicalEntailment,
    conversations = noConversations,
  } = options
  const messageTokens = options.messageTokens ?? usualMessageTokens
  const count = (text: string): number => tokenizer.count(text)
  const tokensOf = (item: Item, text?: string): number => itemTokens(tokenizer, item, text)
  const pieces = textMemo<Piece>((text) => ({ fragment: text, tokens: count(text), digest: undefined }))
  const textHashes = textMemo(hash)
  const settingKeys = textMemo((key) => key)
  return {
    tokenizerId: tokenizer.id,
    messageTokens,
    scorer,
    entailment,
    detector,
    resolveBudget: budgetResolver(),
    judgeItems: itemJudge(detector),
    referItems: itemReferrer({ hash, itemTokens: tokensOf }),
    compressItems: itemCompressor({ ladders, hash, itemTokens: tokensOf }),
    candidateReader: candidateReader(contentHasherByText(hash)),
    arrivingArtifacts: arrivingArtifacts({ ladders, hash, itemTokens: tokensOf }),
    arrivingMedia: arrivingMedia({ ladders, hash, itemTokens: tokensOf }),
    linkItems: itemLinker(),
    forms: formReader({
      ladders,
      messageTokens,
      count,
      itemTokens: tokensOf,
      madeTokens: (item, text) => madeTokens(tokenizer, item, text),
    }),
    openConversation: conversations.planner({ ladders, itemTokens: tokensOf, hash }),
    history: conversations.history(),
    relief: conversations.relief,
    summaries: summaryMemo(),
    itemTokens: tokensOf,
    hash,
    textHash: (text) => textHashes.get(text),
    piece: (text) => pieces.get(text),
    settingKey: (key) => settingKeys.get(key),
  }
}

/** What begins with the request before. */
type ConversationParts = Pick<
  CompilerParts,
  | 'readCandidates'
  | 'readProvenance'
  | 'rankItems'
  | 'compress'
  | 'payloadAssembly'
  | 'listOmissions'
  | 'listMemory'
  | 'decide'
  | 'reportSections'
  | 'measureQuality'
  | 'inputHash'
  | 'digestPack'
  | 'packHash'
>

function partsOfConversation(shared: SharedParts): ConversationParts {
  const { forms, hash, textHash, tokenizerId } = shared
  const compressSection = sectionCompressor((candidate, setting) => forms.ladder(candidate, setting))
  const packs = packHasher(hash, textHash)
  return {
    readCandidates: candidatesReader(shared.candidateReader),
    readProvenance: provenanceReader(),
    rankItems: itemRanker(shared.scorer),
    compress: compressor({
      forms,
      compressSection,
      wholeForms: wholeForms(forms),
      historyLadders: keptLadders(forms),
      historyForms: keptForms(forms),
    }),
    payloadAssembly: payloadAssembler(),
    listOmissions: omissionLister(hash),
    listMemory: memoryLister(),
    decide: decider(),
    reportSections: sectionReporter(),
    measureQuality: qualityMeter({ stated: statedFidelity, entailed: entailedFidelity(shared.entailment) }),
    inputHash: inputHasher(hash, tokenizerId),
    digestPack: packDigester(hash, (entry, digest) => packs.entryLine(entry, digest)),
    packHash: (pack, known) => packs.of(pack, known),
  }
}
