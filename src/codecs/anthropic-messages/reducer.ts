import { stringIn } from '../json-members.ts'
import type { JsonNode, JsonObject, JsonValue, ModelReply } from '../../core/index.ts'
import { isJsonObject, member, rawText } from '../../core/index.ts'
import type { Chain } from '../chain.ts'
import type { StreamState } from '../stream-reducer.ts'
import { foldedEvents } from '../event-folds.ts'
import type { EventFolds } from '../event-folds.ts'
import { optional } from '../optional.ts'
import { failureOf, placesIn, truncated } from '../reply-body.ts'
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

/** Events that tell what was used, and how the stream ended. */
const reports: EventFolds<AnthropicStreamState> = {
  message_start: messageStart,
  message_delta: messageDelta,
  message_stop: (state) => ({ ...state, ended: true }),
  error: (state, data) => ({ ...state, ended: true, failure: failureOf(data['error']) }),
}

const handlers: EventFolds<AnthropicStreamState> = {
  ...reports,
  content_block_start: blockStart,
  content_block_delta: blockDelta,
}

export const initialState: AnthropicStreamState = { ended: false, blocks: undefined }

export const { step, skim, stepData } = foldedEvents<AnthropicStreamState>({
  all: handlers,
  reports,
  // Escapes may hide a name; text that a model writes has its quotes escaped.
  reporting: /"(?:message_start|message_delta|message_stop|error)"|\\u/,
})

export function replyOf(state: AnthropicStreamState): ModelReply {
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
