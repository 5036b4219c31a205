import { responsesCalls } from './calls.ts'
import { responsesCitations } from './citations.ts'
import { responsesReplyParts } from './reasoning.ts'
import type { WireExchange, Item, OverlayPart } from '../../core/index.ts'
import type { Codec, Restored, Restoring } from '../codec.ts'
import { requestCodec } from '../request-codec.ts'
import { atItem } from '../encode-request.ts'
import { restoreOverlay } from '../restore.ts'
import { responsesTextPlaces } from './text-places.ts'
import { responsesReader } from './decode.ts'
import { responsesWriter } from './encode.ts'
import { responsesErrorBody, responsesErrorEvent } from './error-body.ts'
import { goneOn } from './go-on.ts'
import { endOf, hiddenMessages, hiddenTurn, restorer } from './hidden.ts'
import { responsesMediaUrl } from './media.ts'
import { mergeReplies } from './merge.ts'
import { initialState, replyOf, skim, step } from './reducer.ts'
import type { RequestDialect } from '../request-writer.ts'
import { responsesCarried, responsesReasoning } from './carried.ts'
import { replyReader } from '../replies/reply-reader.ts'
import { reducerOf } from '../stream-reducer.ts'
import type { ToldItems } from './reply-words.ts'
import { responsesReasons, saidInEvent, saidInResponse } from './reply-words.ts'
import { responsesReplyWriter } from './reply-writer.ts'
import { leaveResponsesReasoning } from '../reasoning/foreign-reasoning.ts'
import { writeRequest } from '../write-request.ts'
import { responsesWriting } from './write.ts'
import { parseData, usageIn } from '../reply-body.ts'
import { stringIn } from '../json-members.ts'
import { isJsonObject } from '../../core/index.ts'
import { decodeReply } from './reply.ts'
import { responsesUsage } from './usage.ts'
import { responsesSigns } from './signs.ts'
import { responsesSplicer } from './splicer.ts'

const reducer = reducerOf({ initial: initialState, step, skim, reply: replyOf })

const requests: RequestDialect = { reader: responsesReader, writer: responsesWriter, calls: responsesCalls }

/** OpenAI Responses. */
export const openaiResponses: Codec = {
  dialect: 'openai-responses',
  signs: responsesSigns,
  ...requestCodec(requests),
  callIds: responsesWriting.callIds,
  leaveReasoning: leaveResponsesReasoning,
  mediaUrl: (exchange, itemId) => atItem(responsesReader, { exchange, itemId }, responsesMediaUrl),
  carried: responsesCarried,
  reasoningMembers: responsesReasoning,
  elsewhere,
  pathTo: () => '/v1/responses',
  write: (conversation, view) => writeRequest(responsesWriting, conversation, view),
  decodeReply,
  usageOf: (body) => usageIn(body, responsesUsage),
  reducer: () => reducer,
  splicer: responsesSplicer,
  mayBeginCall: ({ data }) => /"type"\s*:\s*"\w{1,40}_call"/.test(data),
  endOf,
  mergeReplies,
  hiddenMessages,
  hiddenTurn,
  restore,
  replyReader: replyReader<ToldItems>({
    reducer,
    decodeReply,
    before: new Set(),
    inEvent: saidInEvent,
    inBody: saidInResponse,
    reasons: responsesReasons,
  }),
  replyWriter: responsesReplyWriter,
  replyParts: responsesReplyParts,
  citations: responsesCitations,
  textPlaces: responsesTextPlaces,
  tokenCount: (tokens) => JSON.stringify({ object: 'response.input_tokens', input_tokens: tokens }),
  encodeError: responsesErrorBody,
  encodeStreamError: (error) => [responsesErrorEvent(error)],
}

/** A reply to go on from, a conversation or a task of the provider's, or an item that is named instead of said. */
function elsewhere({ wire, conversation }: WireExchange): string | undefined {
  if (wire.continues !== undefined) return 'previous_response_id'
  if (/\/compact(?:\?|$)/.test(wire.path)) return '/v1/responses/compact'
  const compacted = conversation.items.flatMap((item) => compactionIn(item) ?? [])[0]
  if (compacted !== undefined) return `input (${compacted})`
  const isReference = ({ kind, text }: Item): boolean => kind === 'opaque' && text.includes('"item_reference"')
  return wire.unplanned ?? (conversation.items.some(isReference) ? 'input (item_reference)' : undefined)
}

/** An item that asks the provider to compact, or that it has sealed what stands before; undefined for others. */
function compactionIn({ kind, text }: Item): string | undefined {
  if (kind !== 'opaque' || !text.includes('compaction')) return undefined
  const value = parseData(text)
  const type = isJsonObject(value) ? (stringIn(value, 'type') ?? '') : ''
  return /^(?:context_)?compaction/.test(type) ? type : undefined
}

/** What the provider keeps has its place there, and not in the body. */
function restore(body: string, overlay: readonly OverlayPart[], known?: Restoring): Restored {
  const next = goneOn(body, overlay)
  const rest = overlay.filter((part) => !next.placed.includes(part))
  const restored = restoreOverlay({ ...requests, restorer }, { ...known, body: next.body, overlay: rest })
  const placed = new Set([...next.placed, ...restored.placed])
  return { ...restored, placed: overlay.filter((part) => placed.has(part)) }
}
