import type { JsonNode, JsonObject, JsonValue, Reply } from '../../core/index.ts'
import { isJsonObject, member, rawText } from '../../core/index.ts'
import type { Chain } from '../chain.ts'
import type { StreamState } from '../stream-reducer.ts'
import { optional } from '../optional.ts'
import { failureOf, parseData, placesIn, truncated } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import type { BlockEvent } from './fold-blocks.ts'
import { wordsOf } from './fold-blocks.ts'
import { mergeUsage } from './reply.ts'
import { anthropicUsage } from './usage.ts'

export interface AnthropicStreamState extends StreamState {
  readonly id?: string
  readonly model?: string
  readonly stopReason?: string
  readonly usage?: JsonValue
  /** What was said, in order. */
  readonly blocks: Chain<BlockEvent> | undefined
  readonly failure?: { readonly type: string; readonly message: string }
}

type Handler = (state: AnthropicStreamState, data: JsonObject, event: SseEvent) => AnthropicStreamState
type Handlers = Readonly<Record<string, Handler>>

/** Events that tell what was used, and how the stream ended. */
const reports: Handlers = {
  message_start: messageStart,
  message_delta: messageDelta,
  message_stop: (state) => ({ ...state, ended: true }),
  error: (state, data) => ({ ...state, ended: true, failure: failureOf(data['error']) }),
}

const handlers: Handlers = { ...reports, content_block_start: blockStart, content_block_delta: blockDelta }

export const initialState: AnthropicStreamState = { ended: false, blocks: undefined }

/** Folds one event; events of unknown type, pings and data that is no JSON change nothing. */
export function step(state: AnthropicStreamState, event: SseEvent): AnthropicStreamState {
  return folded(state, event, handlers)
}

/** Escapes may hide a name; text that a model writes has its quotes escaped. */
const reporting = /"(?:message_start|message_delta|message_stop|error)"|\\u/

export function skim(state: AnthropicStreamState, event: SseEvent): AnthropicStreamState {
  return reporting.test(event.data) ? folded(state, event, reports) : state
}

function folded(state: AnthropicStreamState, event: SseEvent, by: Handlers): AnthropicStreamState {
  if (event.comment !== undefined) return state
  const data = parseData(event.data)
  return isJsonObject(data) ? handled(by, state, { data, event }) : state
}

export function stepData(state: AnthropicStreamState, data: JsonObject, event: SseEvent): AnthropicStreamState {
  return handled(handlers, state, { data, event })
}

interface Told {
  readonly data: JsonObject
  readonly event: SseEvent
}

function handled(by: Handlers, state: AnthropicStreamState, { data, event }: Told): AnthropicStreamState {
  const type = data['type']
  const handler = typeof type === 'string' && Object.hasOwn(by, type) ? by[type] : undefined
  return handler === undefined ? state : handler(state, data, event)
}

export function replyOf(state: AnthropicStreamState): Reply {
  const { text, toolCalls, message, hasWholeInput } = wordsOf(state.blocks)
  const failure = state.failure ?? (state.ended ? undefined : truncated)
  return {
    ...optional('id', state.id),
    ...optional('model', state.model),
    text,
    toolCalls,
    ...optional('stopReason', state.stopReason),
    ...optional('usage', anthropicUsage(state.usage)),
    ...optional('message', failure === undefined || hasWholeInput ? message : undefined),
    ...optional('failure', failure),
  }
}

function messageStart(state: AnthropicStreamState, data: JsonObject): AnthropicStreamState {
  const message = isJsonObject(data['message']) ? data['message'] : {}
  return {
    ...state,
    ...optional('id', stringIn(message, 'id')),
    ...optional('model', stringIn(message, 'model')),
    ...optional('usage', mergeUsage(undefined, message['usage'])),
  }
}

function blockStart(state: AnthropicStreamState, data: JsonObject, { data: json }: SseEvent): AnthropicStreamState {
  const { content_block: start, index } = data
  if (!isJsonObject(start)) return state
  const raw = rawMember(json, ['content_block']) ?? JSON.stringify(start)
  return withBlock(state, { ...(typeof index === 'number' && { index }), start, raw })
}

function blockDelta(state: AnthropicStreamState, data: JsonObject, { data: json }: SseEvent): AnthropicStreamState {
  const { delta, index } = data
  if (!isJsonObject(delta) || typeof index !== 'number') return state
  const citation = delta['type'] === 'citations_delta' ? rawMember(json, ['delta', 'citation']) : undefined
  return withBlock(state, { index, delta, ...optional('citation', citation) })
}

function withBlock(state: AnthropicStreamState, block: BlockEvent): AnthropicStreamState {
  return { ...state, blocks: { last: block, before: state.blocks } }
}

function rawMember(json: string, path: readonly string[]): string | undefined {
  const tree = placesIn(json)
  if (tree === undefined) return undefined
  const node = path.reduce<JsonNode | undefined>((of, name) => member(tree, of, name), tree.root)
  return node && rawText(tree, node)
}

function messageDelta(state: AnthropicStreamState, data: JsonObject): AnthropicStreamState {
  const delta = isJsonObject(data['delta']) ? data['delta'] : {}
  return {
    ...state,
    ...optional('stopReason', stringIn(delta, 'stop_reason')),
    ...optional('usage', mergeUsage(state.usage, data['usage'])),
  }
}

function stringIn(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}
