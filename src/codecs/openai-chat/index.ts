import type { Codec } from '../codec.ts'
import { decodeRequest } from '../decode-request.ts'
import { encodeRequest, rawItem } from '../encode-request.ts'
import { openaiErrorBody } from '../error-body.ts'
import { restoreTurns } from '../restore.ts'
import { openaiTextPlaces } from './text-places.ts'
import { openaiReader } from './decode.ts'
import { openaiWriter } from './encode.ts'
import { endOf, hiddenMessages, hiddenTurn, restorer } from './hidden.ts'
import { mergeReplies } from './merge.ts'
import type { OpenaiStreamState } from './reducer.ts'
import { initialState, replyOf, step } from './reducer.ts'
import { decodeReply } from './reply.ts'
import { openaiSplicer } from './splicer.ts'

/** OpenAI Chat Completions, and the many servers that speak it. */
export const openaiChat: Codec = {
  dialect: 'openai-chat',
  decode: (request, previous) => decodeRequest(openaiReader, request, previous),
  encode: (exchange, view) => encodeRequest({ reader: openaiReader, writer: openaiWriter }, exchange, view),
  rawItem,
  decodeReply,
  // States come from this reducer only.
  reducer: () => ({
    initial: initialState,
    step: (state, event) => step(state as OpenaiStreamState, event),
    reply: (state) => replyOf(state as OpenaiStreamState),
  }),
  splicer: openaiSplicer,
  endOf,
  mergeReplies,
  hiddenMessages,
  hiddenTurn,
  restore: (body, turns, received) => restoreTurns(restorer, { body, received }, turns),
  textPlaces: openaiTextPlaces,
  encodeError: openaiErrorBody,
  encodeStreamError: (error) => [{ data: openaiErrorBody(error) }],
}
