import { anthropicCalls } from './calls.ts'
import { anthropicCitations } from './citations.ts'
import { anthropicReplyParts } from './reasoning.ts'
import type { Codec } from '../codec.ts'
import { reducerOf } from '../stream-reducer.ts'
import { requestCodec } from '../request-codec.ts'
import { atItem } from '../encode-request.ts'
import { restoreOverlay } from '../restore.ts'
import { anthropicTextPlaces } from './text-places.ts'
import { anthropicReader } from './decode.ts'
import { anthropicWriter } from './encode.ts'
import { anthropicErrorBody } from './error-body.ts'
import { endOf, hiddenMessages, hiddenTurn, restorer } from './hidden.ts'
import { anthropicMediaUrl } from './media.ts'
import { mergeReplies } from './merge.ts'
import { initialState, replyOf, skim, step } from './reducer.ts'
import type { RequestDialect } from '../request-writer.ts'
import { leaveAnthropicReasoning } from '../reasoning/foreign-reasoning.ts'
import { writeRequest } from '../write-request.ts'
import { replyReader } from '../replies/reply-reader.ts'
import { anthropicReasons, saidInEvent, saidInMessage, stopSequenceIn } from './reply-words.ts'
import { anthropicReplyWriter } from './reply-writer.ts'
import { anthropicWriting } from './write.ts'
import { usageIn } from '../reply-body.ts'
import { refreshBody } from './refresh.ts'
import { decodeReply } from './reply.ts'
import { anthropicUsage } from './usage.ts'
import { thinkingMembers } from './thinking.ts'
import { anthropicCarried } from './sampling.ts'
import { anthropicSigns } from './signs.ts'
import { anthropicSplicer } from './splicer.ts'

const reducer = reducerOf({ initial: initialState, step, skim, reply: replyOf })

const requests: RequestDialect = { reader: anthropicReader, writer: anthropicWriter, calls: anthropicCalls }

/** Anthropic Messages. */
export const anthropicMessages: Codec = {
  dialect: 'anthropic-messages',
  signs: anthropicSigns,
  requestIdHeader: 'request-id',
  ...requestCodec(requests),
  callIds: anthropicWriting.callIds,
  leaveReasoning: leaveAnthropicReasoning,
  mediaUrl: (exchange, itemId) => atItem(anthropicReader, { exchange, itemId }, anthropicMediaUrl),
  carried: anthropicCarried,
  reasoningMembers: thinkingMembers,
  pathTo: () => '/v1/messages',
  write: (conversation, view) => writeRequest(anthropicWriting, conversation, view),
  refreshBody,
  decodeReply,
  usageOf: (body) => usageIn(body, anthropicUsage),
  reducer: () => reducer,
  splicer: anthropicSplicer,
  mayBeginCall: ({ data }) => /"tool_use"/.test(data),
  endOf,
  mergeReplies,
  hiddenMessages,
  hiddenTurn,
  restore: (body, overlay, known) => restoreOverlay({ ...requests, restorer }, { body, overlay, ...known }),
  replyReader: replyReader({
    reducer,
    decodeReply,
    before: undefined,
    inEvent: saidInEvent,
    inBody: saidInMessage,
    reasons: anthropicReasons,
    stopSequenceIn,
  }),
  replyWriter: anthropicReplyWriter,
  replyParts: anthropicReplyParts,
  citations: anthropicCitations,
  textPlaces: anthropicTextPlaces,
  tokenCount: (tokens) => JSON.stringify({ input_tokens: tokens }),
  encodeError: anthropicErrorBody,
  encodeStreamError: (error, requestId) => [{ event: 'error', data: anthropicErrorBody(error, requestId) }],
}
