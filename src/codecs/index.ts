import { dialects } from './dialects.ts'

export { rewrittenEvents, rewrittenReply } from './calls/rewrite-calls.ts'
export type { RewriteCall } from './calls/rewrite-calls.ts'
export type { TextKind, TextPlace, TextPlaces } from './text-places.ts'
export { rewriteReply, rewriteText, withTexts } from './text-places.ts'

export type { Answer } from './answer.ts'
export { writtenAnswer } from './answer.ts'
export { crossRequest } from './cross-request.ts'
export type { CalledTool } from './crossing-names.ts'
export { hasHiddenCalls, withoutTools } from './hidden-calls.ts'
export type {
  Codec,
  ModelList,
  HiddenToolNames,
  HiddenReply,
  SpliceState,
  SpliceStep,
  StreamEnd,
  StreamSplicer,
} from './codec.ts'
export type { StreamState, StreamReducer } from './stream-reducer.ts'
export { renamedRequest } from './renamed-request.ts'
export { decodeLimits } from './decode-limits.ts'
export { dialectTable, dialects, dialectsWith } from './dialects.ts'
export type { DialectTable } from './dialects.ts'
export { clientStatus } from './client-status.ts'
export { failureStatus } from './failure-status.ts'
export { gatheredBytes } from './gathered-bytes.ts'
export { dataUrl, mediaAt, parseDataUrl } from './media/media-data.ts'
export { bodyOf } from './decoded-state.ts'
export { toolDefinedBy } from './item-names.ts'
export { heldBytes } from './held-bytes.ts'
export type { ReplyFrame, ReplyWriter } from './replies/reply-writer.ts'
export { citationsOf } from './citations/citations-of.ts'
export { citableTexts, inferredCitations } from './citations/inferred-citations.ts'
export type { CitableEntry } from './citations/citable-entry.ts'
export type { InferredCitation, InferringInput } from './citations/inferred-citations.ts'
export type { CitationSource } from './citations/citations-of.ts'
export { sealsIn } from './reasoning/foreign-reasoning.ts'
export { familyOf as reasoningFamily } from './reasoning/owner.ts'
export { reasoningOf } from './reasoning/reasoning-of.ts'
export type { ReasoningSource } from './reasoning/reasoning-of.ts'
export type { ReplyReader } from './replies/reply-reader.ts'
export { readingTextCalls } from './text-tools/text-calls.ts'
export { namingCalls } from './replies/named-calls.ts'
export { saidReply } from './replies/said-reply.ts'
export { isBeyondLimits } from './reply-body.ts'
export { stringPlaces } from './string-places.ts'
export type { SseEvent } from './sse.ts'
export { encodeSse, sseParser } from './sse.ts'
export { bytesOf, sseReader } from './sse-frames.ts'

export { unreadBody } from './unread-body.ts'

/** Every dialect that comes with the product. */
export const { codecs, for: codecFor, detect: detectDialect } = dialects
export type { WriteView, WrittenRequest } from './write-request.ts'
