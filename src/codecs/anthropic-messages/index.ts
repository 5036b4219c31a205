import type { Codec } from '../codec.ts'
import { decodeRequest } from '../decode-request.ts'
import { encodeRequest, rawItem } from '../encode-request.ts'
import { anthropicErrorBody } from '../error-body.ts'
import { restoreTurns } from '../restore.ts'
import { anthropicTextPlaces } from './text-places.ts'
import { anthropicReader } from './decode.ts'
import { anthropicWriter } from './encode.ts'
import { endOf, hiddenMessages, hiddenTurn, restorer } from './hidden.ts'
import { mergeReplies } from './merge.ts'
import type { AnthropicStreamState } from './reducer.ts'
import { initialState, replyOf, step } from './reducer.ts'
import { decodeReply } from './reply.ts'
import { anthropicSplicer } from './splicer.ts'

/** Anthropic Messages. */
export const anthropicMessages: Codec = {
  dialect: 'anthropic-messages',
  decode: (request, previous) => decodeRequest(anthropicReader, request, previous),
  encode: (exchange, view) => encodeRequest({ reader: anthropicReader, writer: anthropicWriter }, exchange, view),
  rawItem,
  decodeReply,
  // States come from this reducer only.
  reducer: () => ({
    initial: initialState,
    step: (state, event) => step(state as AnthropicStreamState, event),
    reply: (state) => replyOf(state as AnthropicStreamState),
  }),
  splicer: anthropicSplicer,
  endOf,
  mergeReplies,
  hiddenMessages,
  hiddenTurn,
  restore: (body, turns, received) => restoreTurns(restorer, { body, received }, turns),
  textPlaces: anthropicTextPlaces,
  encodeError: anthropicErrorBody,
  encodeStreamError: (error, requestId) => [{ event: 'error', data: anthropicErrorBody(error, requestId) }],
}
