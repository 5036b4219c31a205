export { archiveOf } from './archive-of.ts'
export type { Archive, ArchiveQuestion } from './archive-of.ts'
export { blobOwner, mostArtifactBytes, tooManyBytes } from './artifacts/artifact-host.ts'
export type { ArtifactChanger, ArtifactHost } from './artifacts/artifact-host.ts'
export { artifactPath, artifactUri, readArtifactUri } from './artifacts/artifact-uri.ts'
export type { ArtifactName, ArtifactPathParts } from './artifacts/artifact-uri.ts'
export { dropArtifact, holdArtifact } from './artifacts/change-artifacts.ts'
export type { ArtifactChange } from './artifacts/change-artifacts.ts'
export { putArtifact } from './artifacts/put-artifact.ts'
export type { NewArtifact } from './artifacts/put-artifact.ts'
export { artifactBytes, findArtifact, getArtifact, listArtifacts } from './artifacts/read-artifacts.ts'
export type { ArtifactWanted } from './artifacts/read-artifacts.ts'
export {
  manifestUri,
  replyUri,
  requireEvidence,
  storeManifest,
  storeReply,
  tracedUris,
} from './artifacts/step-artifacts.ts'

export { storeItemArtifacts } from './artifacts/item-artifacts.ts'
export { sweepArtifacts } from './artifacts/sweep-artifacts.ts'
export { compactionConfig } from './compaction/compaction-order.ts'
export { compactSession } from './compaction/compact-session.ts'
export type { CompactionResult, CompactRequest } from './compaction/compact-session.ts'
export { draftBriefing } from './compaction/draft-briefing.ts'
export { handoffSession } from './compaction/handoff-session.ts'
export type {
  BriefingWriter,
  HandoffHost,
  HandoffResult,
  HandoffRequest,
  BriefingRequest,
} from './compaction/handoff-session.ts'
export { modelBriefing } from './compaction/model-briefing.ts'
export { changeSteering, mostNoteChars, mostPins, steeringIn } from './steering/change-steering.ts'
export type { Steering } from './steering/change-steering.ts'
export { changeRecord, readRecord } from './compaction/session-record.ts'
export { cacheMiss } from './cost/cache-miss.ts'
export { exchangeCost } from './cost/exchange-cost.ts'
export { savedBy } from './cost/planned-tokens.ts'
export { withModel } from './with-model.ts'
export { readCompileBody } from './compile-body.ts'
export { turnInput } from './compile-input.ts'
export { answeredItems, continuation } from './continuation.ts'
export type { Belonging } from './kept-replies.ts'
export type { KnownConversation } from './continuation.ts'
export { encodeRequest } from './encode-request.ts'
export { bareRequestCompiler } from './bare-request-compiler.ts'
export type { CoreCompilerOptions } from './bare-request-compiler.ts'
export { compile, compileAgain, compileMemory, compilers, compilesAgain, createCompiler } from './compilers.ts'
export type { CompileAgain, CompileExtras, CompileOptions, ModelOptions } from './compilers.ts'
export type { CompileRequest, RequestCompiler } from './usual-input.ts'
export {
  compileDocumentSchema,
  compileDocumentShape,
  parseCompileDocument,
  parseCompileText,
} from './compile-document.ts'
export type { CompileDefaults, CompileDocument } from './compile-document.ts'
export { collectItems } from './collect/collect-items.ts'
export { packCollected } from './collect/pack-collected.ts'
export type { CollectRequest, Source } from './collect/source.ts'
export { turnMemory } from './collect/turn-memory.ts'
export type { TurnMemory } from './collect/turn-memory.ts'
export { dialectsOf } from './extensions/added-dialects.ts'
export { compileExtras } from './extensions/compile-additions.ts'
export { extensionTenant, givenOf, noExtensions, openExtensions } from './extensions/open-extensions.ts'
export type { OpenedExtensions, OpeningParts } from './extensions/open-extensions.ts'
export { tablesOf } from './extensions/own-tables.ts'
export { configuredExtension, named, readExtension } from './extensions/read-extension.ts'
export type { ConfiguredExtension } from './extensions/read-extension.ts'
export type {
  AnyExtension,
  ConfigShape,
  CountMetric,
  ExtensionHost,
  ExtensionPlace,
  ExtensionValues,
  GivenExtension,
  HeardEvent,
  OwnLadder,
  SessionAdditions,
  ConfigResult,
} from './extensions/extension.ts'
export { givenMeanings } from './meanings/given-meanings.ts'
export { toolMeanings, usualMeaningLimits } from './meanings/tool-meanings.ts'
export type { EmbeddedTool, Meanings, MeaningWatch, TenantEmbedder } from './meanings/meanings.ts'
export { judgedReceipt, lastAnswered } from './outcomes/read-outcomes.ts'
export type { JudgedReceipt } from './outcomes/read-outcomes.ts'
export { recordOutcome } from './outcomes/record-outcome.ts'
export type { GivenOutcome } from './outcomes/record-outcome.ts'
export { partsFor } from './session-parts.ts'
export { cachesPrompts } from './caches-prompts.ts'
export { marked } from './marked.ts'
export { markerWriter, markerWriterFor } from './markers/write-markers.ts'
export type { MarkerWriter } from './markers/write-markers.ts'
export type { LastRequest } from './lane-beginnings.ts'
export { openSessions } from './open-sessions.ts'
export type { Sessions } from './open-sessions.ts'
export { originalsOf } from './originals-of.ts'
export { turnOverhead } from './turn-overhead.ts'
export type { Overhead } from './turn-overhead.ts'
export type { Session } from './session.ts'
export type { SessionTurn } from './session-turn.ts'
export { singleRequest } from './single-request.ts'
export type { SingleRequest } from './single-request.ts'
export type { SessionParts, SessionWatch } from './session-parts.ts'
export type { CallContext, RequestContext } from './call-context.ts'
export type { HiddenTool, OfferContext, ToolAnswer, ToolContext } from './tools/hidden-tool.ts'
export type { CallHost } from './tools/answer-hidden-calls.ts'
export type { HostedTool, HostedTools, HostedUse } from './catalogue/hosted-tools.ts'
export { catalogueTools } from './tools/catalogue-tools.ts'
export { hiddenRounds } from './tools/hidden-rounds.ts'
export type { HiddenRounds } from './tools/hidden-rounds.ts'
export { stepOverrun } from './steps/step-meter.ts'
export { hostItems, hostStateOf } from './steps/host-state.ts'
export type { HostArtifact, HostEvent, HostPlace, HostState, MemoryHit } from './steps/host-state.ts'
export { stepPack } from './steps/step-pack.ts'
export type { StepPack, StepReceipt, StepToPack } from './steps/step-pack.ts'
export { isNamedSession } from './session-key.ts'
export { storedSessionName } from './session-name.ts'
export { storedFinish, storedStepPack } from './steps/stored-steps.ts'
export type { StepStore, StoredStepPack } from './steps/stored-steps.ts'
export { prefixLifetimes } from './prefix-lifetimes.ts'
export { readTurnLog } from './read-turn-log.ts'
export type { TurnLog, TurnLogQuery } from './read-turn-log.ts'
export { searchedChars } from './tools/find-about.ts'
export { searchHistoryTool } from './tools/search-history-tool.ts'
export { rehydrateTool } from './tools/rehydrate-tool.ts'
export { replyAction, replyGuard } from './reply-guard.ts'
export { mustBePacked, refusedFor } from './refused-for.ts'
export { sumUsage } from './tools/sum-usage.ts'
export { modelSummarizer, modelWriter } from './summaries/model-summarizer.ts'
export type { ModelSummarizerOptions } from './summaries/model-summarizer.ts'
export { toRequest } from './to-request.ts'
export type { ToRequestOptions, ToRequestResult } from './to-request.ts'
export { noPolicy, sentBytes, unpackedUnit, unreadSession } from './unpacked-request.ts'
export type { SentBytes } from './unpacked-request.ts'
export { sentBody, verifyReceipt } from './verify-receipt.ts'
export type { ReceiptVerification } from './verify-receipt.ts'
export { timely, withinDeadline } from './within-deadline.ts'
export { handleKeys } from './handle-keys.ts'
export type { ImageLibrary, ImageWork } from './media/image-library.ts'
export { makeShown } from './media/make-shown.ts'
export type { MakeShownOptions } from './media/make-shown.ts'
export { mediaShop } from './media/media-shop.ts'
export { openSession } from './in-process/open-session.ts'
export type { InProcessSession } from './in-process/open-session.ts'
export type { RequestOptions, SessionOptions } from './in-process/session-options.ts'
export type { PackedRequest, TurnReceipt } from './in-process/packed-request.ts'
export { costRow, whyMore } from './cost/why-more.ts'
export type { CostRow } from './cost/why-more.ts'
export { whyWholeText } from './why-whole.ts'
