export { isPrehendError, PrehendError } from './core/index.ts'
export type * from './core/index.ts'
export {
  archiveOf,
  compile,
  compileAgain,
  createCompiler,
  makeShown,
  openSession,
  toRequest,
} from './sessions/index.ts'
export { citableTexts, citationsOf, inferredCitations, reasoningOf } from './codecs/index.ts'
export type { CitableEntry, CitationSource, InferredCitation, InferringInput, ReasoningSource } from './codecs/index.ts'
export { sha256 } from './host/index.ts'
export type {
  Archive,
  ArchiveQuestion,
  BriefingWriter,
  CompactionResult,
  CompileOptions,
  CompileRequest,
  HandoffResult,
  HiddenTool,
  ImageLibrary,
  ImageWork,
  InProcessSession,
  MakeShownOptions,
  ModelOptions,
  PackedRequest,
  RequestCompiler,
  RequestOptions,
  SessionOptions,
  ToolAnswer,
  ToolSession,
  ToRequestOptions,
  ToRequestResult,
  TurnReceipt,
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
export { guidelinesFor } from './core/index.ts'
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
export type { Proposition } from './ladders/index.ts'
export { createVocabulary, fromCanonical, pageNoteId, toCanonical, unify } from './core/index.ts'
export { compileDocumentSchema, parseCompileDocument, parseCompileText } from './sessions/index.ts'
export type { CompileDefaults, CompileDocument } from './sessions/index.ts'
export { chooseModel, composePolicy, detectPhase, governor, governorSections } from './compiler/index.ts'
export {
  comparePolicies,
  explainPolicy,
  foldPolicy,
  readPolicy,
  revisePolicy,
  policySettingNames,
  strategyOf,
  tenantChanges,
  withSettings,
  withTenants,
} from './compiler/index.ts'
export type {
  ChangedPolicy,
  ExplainedPolicy,
  KnownPolicies,
  ModelChoice,
  ModelWork,
  PolicyDifference,
  PolicyInForce,
  PolicyValue,
  ReadPolicyOptions,
  RetrievalWork,
  RevisedPolicy,
} from './compiler/index.ts'
export {
  balanced,
  careful,
  costFirst,
  defaultPolicy,
  guarded,
  policies,
  qualityFirst,
  thrifty,
} from './compiler/index.ts'
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
export {
  assemblyReasons,
  isIntact,
  lexicalEntailment,
  compilationTrace,
  contextPackManifest,
  serializePack,
  verifyManifest,
} from './compiler/index.ts'
export type {
  AssemblyReason,
  CompilationTrace,
  ContextPackManifest,
  TraceStamp,
  VerifyOptions,
} from './compiler/index.ts'
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
export { assemblePrompt, prefixLayers, systemBlocks, toolLevels } from './compiler/index.ts'
export type {
  AssembledPrompt,
  LayeredTool,
  PrefixLayer,
  PromptLayer,
  PromptParts,
  TenantPrompt,
  ToolLevel,
} from './compiler/index.ts'
export { withRelevance } from './knowledge/index.ts'
export { extractiveSummarizer, ladderFor } from './ladders/index.ts'
export { modelSummarizer, modelWriter } from './sessions/index.ts'
export type { ModelSummarizerOptions } from './sessions/index.ts'
export {
  heuristicDetector,
  isolationStrength,
  normaliseUntrusted,
  quarantined,
  replyDetector,
} from './defense/index.ts'
export type { Isolation, NormalisedText, ReplyDetectorOptions, ReplyGround } from './defense/index.ts'
export { connectedStore, memoryStore, sqliteStore, threadedSqliteStore } from './stores/index.ts'
export type {
  ConnectedStore,
  MemoryStoreOptions,
  Receipt,
  SqliteStoreOptions,
  Store,
  StoreTrouble,
  ThreadedStore,
} from './stores/index.ts'
export { modelCatalogue, tokenizerFor } from './tokens/index.ts'
export type { CatalogueOptions, ModelCatalogue, ModelSettings, TokenVocabulary } from './tokens/index.ts'
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
} from './tracing/index.ts'
