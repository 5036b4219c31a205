import type { WireExchange } from '../../core/index.ts'
import { present } from '../../core/index.ts'
import { geminiCalls } from './calls.ts'
import { geminiCitations } from './citations.ts'
import { geminiReplyParts } from './reasoning.ts'
import type { Codec } from '../codec.ts'
import { requestCodec } from '../request-codec.ts'
import { atItem } from '../encode-request.ts'
import type { RequestDialect } from '../request-writer.ts'
import { replyReader } from '../replies/reply-reader.ts'
import { restoreOverlay } from '../restore.ts'
import { reducerOf } from '../stream-reducer.ts'
import { writeRequest } from '../write-request.ts'
import { geminiCarried, geminiThinking } from './carried.ts'
import { spellings } from './members.ts'
import { treeOf } from '../decoded-state.ts'
import { geminiReader } from './decode.ts'
import { geminiWriter } from './encode.ts'
import { geminiErrorBody } from './error-body.ts'
import { endOf, hiddenMessages, hiddenTurn } from './hidden.ts'
import { geminiMediaUrl } from './media.ts'
import { mergeReplies } from './merge.ts'
import { initialState, replyOf, skim, step } from './reducer.ts'
import { decodeReply, usageOf } from './reply.ts'
import type { CallsBefore } from './reply-words.ts'
import { geminiFailures, geminiReasons, saidInChunk, saidInReply } from './reply-words.ts'
import { geminiReplyWriter } from './reply-writer.ts'
import { restorer } from './restorer.ts'
import { geminiSigns } from './signs.ts'
import { geminiSplicer } from './splicer.ts'
import { signCalls } from './sign-calls.ts'
import { modelNamedIn, pathTo, renamedPath } from './target.ts'
import { geminiTextPlaces } from './text-places.ts'
import { geminiWriting } from './write.ts'

const reducer = reducerOf({ initial: initialState, step, skim, reply: replyOf })

const requests: RequestDialect = { reader: geminiReader, writer: geminiWriter, calls: geminiCalls }

/** Gemini's `generateContent`. */
export const gemini: Codec = {
  dialect: 'gemini',
  signs: geminiSigns,
  ...requestCodec(requests),
  callIds: geminiWriting.callIds,
  leaveReasoning: signCalls,
  mediaUrl: (exchange, itemId) => atItem(geminiReader, { exchange, itemId }, geminiMediaUrl),
  carried: geminiCarried,
  reasoningMembers: geminiThinking,
  elsewhere,
  modelNamedIn,
  renamedPath,
  pathTo,
  write: (conversation, view) => writeRequest(geminiWriting, conversation, view),
  decodeReply,
  usageOf,
  reducer: () => reducer,
  splicer: geminiSplicer,
  mayBeginCall: ({ data }) => /"function_?[cC]all"/.test(data),
  endOf,
  mergeReplies,
  hiddenMessages,
  hiddenTurn,
  restore: (body, overlay, known) => restoreOverlay({ ...requests, restorer }, { body, overlay, ...known }),
  replyReader: replyReader<CallsBefore>({
    reducer,
    decodeReply,
    before: [],
    inEvent: saidInChunk,
    inBody: saidInReply,
    reasons: geminiReasons,
    failures: geminiFailures,
  }),
  replyWriter: geminiReplyWriter,
  replyParts: geminiReplyParts,
  citations: geminiCitations,
  textPlaces: geminiTextPlaces,
  tokenCount: (totalTokens) => JSON.stringify({ totalTokens }),
  encodeError: geminiErrorBody,
  encodeStreamError: (error, requestId) => [{ data: geminiErrorBody(error, requestId) }],
}

/** Content that was cached before stands in no body. */
function elsewhere(exchange: WireExchange): string | undefined {
  const tree = treeOf(exchange)
  return spellings('cachedContent').find((name) => present(tree, tree.root, name) !== undefined)
}
