import type { JsonNode, JsonObject, JsonValue, ModelReply } from '../../core/index.ts'
import { isJsonObject, member, rawText } from '../../core/index.ts'
import type { Chain } from '../chain.ts'
import type { StreamState } from '../stream-reducer.ts'
import { foldedEvents } from '../event-folds.ts'
import type { EventFolds } from '../event-folds.ts'
import { optional } from '../optional.ts'
import { placesIn, truncated } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import type { ItemEvent } from './fold-items.ts'
import { saidBy, saidByItems } from './fold-items.ts'
import { stringIn } from '../json-members.ts'
import { errorOf, outcomeOf } from './reply.ts'
import { responsesUsage } from './usage.ts'

export interface ResponsesStreamState extends StreamState {
  readonly id?: string
  readonly model?: string
  readonly stopReason?: string
  readonly usage?: JsonValue
  /** What was said, in order. */
  readonly items: Chain<ItemEvent> | undefined
  /** The raw items with which the last event tells the whole response; some servers leave them out there. */
  readonly output?: string
  readonly failure?: { readonly type: string; readonly message: string }
}

/** Events that tell what was used, and how the stream ended. */
const reports: EventFolds<ResponsesStreamState> = {
  'response.created': responseTold,
  'response.completed': responseEnded,
  'response.incomplete': responseEnded,
  'response.failed': responseEnded,
  'error': (state, data) => ({ ...state, ended: true, failure: errorOf(data['error'] ?? data) }),
}

const handlers: EventFolds<ResponsesStreamState> = {
  ...reports,
  'response.completed': responseWhole,
  'response.incomplete': responseWhole,
  'response.failed': responseWhole,
  'response.output_item.added': itemTold,
  'response.output_item.done': itemTold,
  'response.output_text.delta': textDelta,
}

export const initialState: ResponsesStreamState = { ended: false, items: undefined }

export const { step, skim, stepData } = foldedEvents<ResponsesStreamState>({
  all: handlers,
  reports,
  // Escapes may hide a name; text that a model writes has its quotes escaped.
  reporting: /"(?:response\.(?:created|completed|incomplete|failed)|error)"|\\u/,
  typeOf: (data) => data['type'] ?? (isJsonObject(data['error']) ? 'error' : undefined),
})

export function replyOf(state: ResponsesStreamState): ModelReply {
  const { output } = state
  return {
    ...optional('id', state.id),
    ...optional('model', state.model),
    ...(output === undefined ? saidByItems(state.items) : saidBy(output)),
    ...optional('stopReason', state.stopReason),
    ...optional('usage', responsesUsage(state.usage)),
    ...optional('failure', state.failure ?? (state.ended ? undefined : truncated)),
  }
}

function responseTold(state: ResponsesStreamState, { response }: JsonObject): ResponsesStreamState {
  if (!isJsonObject(response)) return state
  return {
    ...state,
    ...optional('id', stringIn(response, 'id') ?? state.id),
    ...optional('model', stringIn(response, 'model') ?? state.model),
    ...optional('usage', isJsonObject(response['usage']) ? response['usage'] : state.usage),
  }
}

function responseEnded(state: ResponsesStreamState, data: JsonObject): ResponsesStreamState {
  return { ...responseTold(state, data), ended: true, ...outcomeOf(data['response']) }
}

function responseWhole(state: ResponsesStreamState, data: JsonObject, event: SseEvent): ResponsesStreamState {
  const { response } = data
  const items = isJsonObject(response) ? response['output'] : undefined
  const output = Array.isArray(items) && items.length > 0 ? rawMember(event.data, ['response', 'output']) : undefined
  return { ...responseEnded(state, data), ...optional('output', output) }
}

function itemTold(state: ResponsesStreamState, data: JsonObject, event: SseEvent): ResponsesStreamState {
  const { output_index: at, item, type } = data
  if (typeof at !== 'number' || !isJsonObject(item)) return state
  const raw = rawMember(event.data, ['item']) ?? JSON.stringify(item)
  return withItem(state, { at, raw, isDone: type === 'response.output_item.done' })
}

function textDelta(state: ResponsesStreamState, data: JsonObject): ResponsesStreamState {
  const { output_index: at, content_index: part = 0, delta } = data
  if (typeof at !== 'number' || typeof part !== 'number' || typeof delta !== 'string') return state
  return withItem(state, { at, part, text: delta })
}

function withItem(state: ResponsesStreamState, event: ItemEvent): ResponsesStreamState {
  return { ...state, items: { last: event, before: state.items } }
}

function rawMember(json: string, path: readonly string[]): string | undefined {
  const tree = placesIn(json)
  const node = tree && path.reduce<JsonNode | undefined>((of, name) => member(tree, of, name), tree.root)
  return tree && node && rawText(tree, node)
}
