export { isPrehendError, PrehendError } from './core/index.ts'
export type * from './core/index.ts'
export {
  archiveOf,
  compile,
  compileAgain,
  createCompiler,
  makeShown,
  openSession,
  searchHistoryTool,
  toRequest,
} from './sessions/index.ts'
export { citableTexts, citationsOf, inferredCitations, reasoningOf } from './codecs/index.ts'
export type { CitableEntry, CitationSource, InferredCitation, InferringInput, ReasoningSource } from './codecs/index.ts'
export { sha256 } from './host/index.ts'
export type {
  Archive,
  ArchiveQuestion,
  BriefingWriter,
  CallContext,
  CompactionResult,
  CompileOptions,
  CompileRequest,
  GivenOutcome,
  HandoffResult,
  CollectRequest,
  HiddenTool,
  Source,
  ImageLibrary,
  ImageWork,
  InProcessSession,
  MakeShownOptions,
  ModelOptions,
  OfferContext,
  PackedRequest,
  RequestCompiler,
  RequestContext,
  RequestOptions,
  SessionOptions,
  ToolAnswer,
  ToolContext,
  ToRequestOptions,
  ToRequestResult,
  TurnReceipt,
  CompactRequest,
  HandoffRequest,
  BriefingRequest,
  GivenExtension,
} from './sessions/index.ts'
export { evidence, instruction, memory, said, tool, toolUse } from './core/index.ts'
export { claimStep, claimable, finishStep, missedLimits, releaseStep, taskBoard } from './core/index.ts'
export { hostItems, hostStateOf, stepPack } from './sessions/index.ts'
export type {
  HostArtifact,
  HostEvent,
  HostPlace,
  HostState,
  MemoryHit,
  StepPack,
  StepReceipt,
  StepToPack,
} from './sessions/index.ts'
export { itemSimilarities } from './knowledge/index.ts'
export type { SimilarityOptions, TextEmbedder } from './knowledge/index.ts'
export { onnxWordClassifier, withWordWeights, wordPieces } from './embedders/index.ts'
export type {
  OnnxClassifierOptions,
  OnnxSession,
  OnnxTensor,
  Pieces,
  WordClassifier,
  WordPieceOptions,
  WordTokenizer,
} from './embedders/index.ts'
export { propositionsOf } from './ladders/index.ts'
export type { Proposition, LadderOptions } from './ladders/index.ts'
export { pageNoteId } from './core/index.ts'
export { composePolicy, governor, governorSections } from './compiler/index.ts'
export { readPolicy } from './compiler/index.ts'
export type {
  KnownPolicies,
  ReadPolicyOptions,
  AbsoluteBudget,
  FloorBudget,
  FractionBudget,
  PhaseBudget,
  ShareBudget,
  TierBudget,
  SectionCompression,
  Verification,
} from './compiler/index.ts'
export { balanced, careful, guarded, policies, thrifty } from './compiler/index.ts'
export type { PolicyChoice, PolicyName } from './compiler/index.ts'
export {
  absoluteBudget,
  compressionOf,
  floorBudget,
  fractionBudget,
  gateway128k,
  phaseBudget,
  shareBudget,
  tierBudget,
} from './compiler/index.ts'
export { lexicalEntailment, verifyManifest } from './compiler/index.ts'
export type { VerifyOptions } from './compiler/index.ts'
export {
  rankPresets,
  recentTurns,
  rolePolicy,
  saturationTurn,
  summaryBlocks,
  sweepPositions,
} from './compiler/index.ts'
export type {
  PositionSweep,
  RolePolicy,
  RolePolicyDocument,
  RolePolicyOptions,
  SweptPosition,
  BlocksInput,
  Saturation,
  SummaryBlock,
  TurnWindow,
} from './compiler/index.ts'
export { constraintViolations, isOutOfScope, resolveConstraints } from './core/index.ts'
export type { Compiler, CompilerOptions, Scorer } from './compiler/index.ts'
export { withRelevance } from './knowledge/index.ts'
export { extractiveSummarizer, ladderFor } from './ladders/index.ts'
export { modelSummarizer, modelWriter } from './sessions/index.ts'
export type { ModelSummarizerOptions } from './sessions/index.ts'
export { memoryStore, sqliteStore, threadedSqliteStore } from './stores/index.ts'
export type {
  MemoryStoreOptions,
  OutcomeSource,
  Receipt,
  RecordedOutcome,
  SqliteStoreOptions,
  Store,
  StoreTrouble,
  ThreadedStore,
  Original,
  Scope,
  Retention,
  MemoryLimits,
  HostStep,
  ReceiptResult,
  RecordedRequest,
  Fetched,
  LeftTools,
  WastedTools,
  OnTrouble,
} from './stores/index.ts'
export { modelCatalogue, tokenizerFor } from './tokens/index.ts'
export type {
  CatalogueOptions,
  ModelCatalogue,
  ModelSettings,
  TokenVocabulary,
  ModelInfo,
  ModelPrices,
  CacheRules,
  LargerWindow,
  ToolPromptTokens,
} from './tokens/index.ts'
export { openTelemetry } from './tracing/index.ts'
export type {
  OpenTelemetryApi,
  OpenTelemetrySpan,
  OpenTelemetrySpanOptions,
  OpenTelemetryTracer,
  RootOptions,
  RootSpan,
  SpanAttributes,
  SpanRecord,
  Tracing,
  RemoteSpan,
} from './tracing/index.ts'
