import { openaiCalls } from './calls.ts'
import { openaiCitations } from './citations.ts'
import { openaiReplyParts } from './reasoning.ts'
import type { Codec } from '../codec.ts'
import { reducerOf } from '../stream-reducer.ts'
import { requestCodec } from '../request-codec.ts'
import { atItem } from '../encode-request.ts'
import { restoreOverlay } from '../restore.ts'
import { openaiTextPlaces } from './text-places.ts'
import { openaiReader } from './decode.ts'
import { openaiWriter } from './encode.ts'
import { openaiErrorBody } from './error-body.ts'
import { endOf, hiddenMessages, hiddenTurn, restorer } from './hidden.ts'
import { openaiMediaUrl } from './media.ts'
import { mergeReplies } from './merge.ts'
import { initialState, replyOf, skim, step } from './reducer.ts'
import type { RequestDialect } from '../request-writer.ts'
import { leaveChatReasoning } from '../reasoning/foreign-reasoning.ts'
import { writeRequest } from '../write-request.ts'
import { replyReader } from '../replies/reply-reader.ts'
import { nothingSaid, openaiFailures, openaiReasons, restOfChat, saidInChunk, saidInCompletion } from './reply-words.ts'
import { openaiReplyWriter } from './reply-writer.ts'
import { openaiWriting } from './write.ts'
import { usageIn } from '../reply-body.ts'
import { decodeReply } from './reply.ts'
import { openaiUsage } from './usage.ts'
import { openaiCarried, openaiReasoning } from './sampling.ts'
import { openaiSigns } from './signs.ts'
import { openaiSplicer } from './splicer.ts'
import { openaiStreamUsage } from './stream-usage.ts'

const reducer = reducerOf({ initial: initialState, step, skim, reply: replyOf })

const requests: RequestDialect = { reader: openaiReader, writer: openaiWriter, calls: openaiCalls }

/** OpenAI Chat Completions, and the many servers that speak it. */
export const openaiChat: Codec = {
  dialect: 'openai-chat',
  signs: openaiSigns,
  ...requestCodec(requests),
  callIds: openaiWriting.callIds,
  leaveReasoning: leaveChatReasoning,
  mediaUrl: (exchange, itemId) => atItem(openaiReader, { exchange, itemId }, openaiMediaUrl),
  carried: openaiCarried,
  reasoningMembers: openaiReasoning,
  streamUsage: openaiStreamUsage,
  pathTo: () => '/v1/chat/completions',
  write: (conversation, view) => writeRequest(openaiWriting, conversation, view),
  decodeReply,
  usageOf: (body) => usageIn(body, openaiUsage),
  reducer: () => reducer,
  splicer: openaiSplicer,
  mayBeginCall: ({ data }) => /"tool_calls"\s*:\s*\[\s*\{|"function_call"\s*:\s*\{/.test(data),
  endOf,
  mergeReplies,
  hiddenMessages,
  hiddenTurn,
  restore: (body, overlay, known) => restoreOverlay({ ...requests, restorer }, { body, overlay, ...known }),
  replyReader: replyReader({
    reducer,
    decodeReply,
    before: nothingSaid,
    inEvent: saidInChunk,
    rest: restOfChat,
    inBody: saidInCompletion,
    reasons: openaiReasons,
    failures: openaiFailures,
  }),
  replyWriter: openaiReplyWriter,
  replyParts: openaiReplyParts,
  citations: openaiCitations,
  textPlaces: openaiTextPlaces,
  encodeError: openaiErrorBody,
  encodeStreamError: (error) => [{ data: openaiErrorBody(error) }],
}
