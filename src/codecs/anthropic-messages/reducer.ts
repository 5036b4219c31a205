import type { JsonObject, JsonValue, Reply, ToolCall } from '../../core/index.ts'
import { isJsonObject, member, rawText, scanJson } from '../../core/index.ts'
import type { StreamState } from '../codec.ts'
import { optional } from '../optional.ts'
import { failureOf, parseData, truncated } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import { withMembers } from '../splice.ts'
import { assistantMessage, mergeUsage, sendableInput } from './reply.ts'
import { anthropicUsage } from './usage.ts'

/** A block as its start event gave it and what its deltas added. */
interface BlockState {
  readonly index: number
  readonly raw: string
  readonly start: JsonObject
  /** Strings that deltas have appended, by the block's member. */
  readonly strings: Readonly<Record<string, string>>
  readonly inputJson: string
  /** Raw JSON of the citations. */
  readonly citations: readonly string[]
}

export interface AnthropicStreamState extends StreamState {
  readonly id?: string
  readonly model?: string
  readonly stopReason?: string
  readonly usage?: JsonValue
  readonly blocks: readonly BlockState[]
  readonly failure?: { readonly type: string; readonly message: string }
}

type Handler = (state: AnthropicStreamState, data: JsonObject, event: SseEvent) => AnthropicStreamState

const handlers: Readonly<Record<string, Handler>> = {
  message_start: messageStart,
  content_block_start: blockStart,
  content_block_delta: blockDelta,
  message_delta: messageDelta,
  message_stop: (state) => ({ ...state, ended: true }),
  error: (state, data) => ({ ...state, ended: true, failure: failureOf(data['error']) }),
}

export const initialState: AnthropicStreamState = { ended: false, blocks: [] }

/** Folds one event; events of unknown type, pings and data that is no JSON change nothing. */
export function step(state: AnthropicStreamState, event: SseEvent): AnthropicStreamState {
  if (event.comment !== undefined) return state
  const data = parseData(event.data)
  return isJsonObject(data) ? stepData(state, data, event) : state
}

/** Escapes may hide a name; text that a model writes has its quotes escaped. */
const reporting = /"(?:message_start|message_delta|message_stop|error)"|\\u/

export function reports({ data, comment }: SseEvent): boolean {
  return comment === undefined && reporting.test(data)
}

export function stepData(state: AnthropicStreamState, data: JsonObject, event: SseEvent): AnthropicStreamState {
  const type = data['type']
  const handler = typeof type === 'string' && Object.hasOwn(handlers, type) ? handlers[type] : undefined
  return handler === undefined ? state : handler(state, data, event)
}

export function replyOf(state: AnthropicStreamState): Reply {
  const blocks = state.blocks.toSorted((a, b) => a.index - b.index)
  const failure = state.failure ?? (state.ended ? undefined : truncated)
  const isCut = failure !== undefined && !blocks.every(hasWholeInput)
  return {
    ...optional('id', state.id),
    ...optional('model', state.model),
    text: blocks.map((block) => (block.start['type'] === 'text' ? stringOf(block, 'text') : '')).join(''),
    toolCalls: blocks.flatMap((block) => toolCallOf(block) ?? []),
    ...optional('stopReason', state.stopReason),
    ...optional('usage', anthropicUsage(state.usage)),
    ...optional('message', isCut ? undefined : assistantMessage(`[${blocks.map(rawBlock).join(',')}]`)),
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

function blockStart(state: AnthropicStreamState, data: JsonObject, event: SseEvent): AnthropicStreamState {
  const start = data['content_block']
  if (!isJsonObject(start)) return state
  const index = typeof data['index'] === 'number' ? data['index'] : state.blocks.length
  const tree = scanJson(event.data)
  const node = member(tree, tree.root, 'content_block')
  const raw = node === undefined ? JSON.stringify(start) : rawText(tree, node)
  const block: BlockState = { index, raw, start, strings: {}, inputJson: '', citations: [] }
  return { ...state, blocks: [...state.blocks.filter((other) => other.index !== index), block] }
}

function blockDelta(state: AnthropicStreamState, data: JsonObject, event: SseEvent): AnthropicStreamState {
  const delta = data['delta']
  if (!isJsonObject(delta)) return state
  return {
    ...state,
    blocks: state.blocks.map((block) => (block.index === data['index'] ? applyDelta(block, delta, event) : block)),
  }
}

function applyDelta(block: BlockState, delta: JsonObject, event: SseEvent): BlockState {
  switch (delta['type']) {
    case 'input_json_delta':
      return { ...block, inputJson: block.inputJson + (stringIn(delta, 'partial_json') ?? '') }
    case 'citations_delta': {
      const tree = scanJson(event.data)
      const citation = member(tree, member(tree, tree.root, 'delta'), 'citation')
      return citation === undefined ? block : { ...block, citations: [...block.citations, rawText(tree, citation)] }
    }
    default:
      return { ...block, strings: appendStrings(block, delta) }
  }
}

/** `text_delta`, `thinking_delta`, `signature_delta`, `compaction_delta`, …: each names members of the block. */
function appendStrings(block: BlockState, delta: JsonObject): Readonly<Record<string, string>> {
  const added = Object.entries(delta).flatMap(([name, value]): [string, string][] =>
    name === 'type' || typeof value !== 'string' ? [] : [[name, stringOf(block, name) + value]],
  )
  return { ...block.strings, ...Object.fromEntries(added) }
}

function stringOf(block: BlockState, name: string): string {
  const appended = Object.hasOwn(block.strings, name) ? block.strings[name] : undefined
  return appended ?? stringIn(block.start, name) ?? ''
}

function messageDelta(state: AnthropicStreamState, data: JsonObject): AnthropicStreamState {
  const delta = isJsonObject(data['delta']) ? data['delta'] : {}
  return {
    ...state,
    ...optional('stopReason', stringIn(delta, 'stop_reason')),
    ...optional('usage', mergeUsage(state.usage, data['usage'])),
  }
}

function hasWholeInput({ inputJson }: BlockState): boolean {
  return inputJson === '' || isJsonObject(parseData(inputJson))
}

/** The block as it goes back to the provider. */
function rawBlock(block: BlockState): string {
  const members: [string, string][] = Object.entries(block.strings).map(([name, text]) => [name, JSON.stringify(text)])
  if (block.inputJson !== '') members.push(['input', sendableInput(block.inputJson)])
  if (block.citations.length > 0) members.push(['citations', `[${block.citations.join(',')}]`])
  return withMembers(block.raw, members)
}

function toolCallOf(block: BlockState): ToolCall | undefined {
  if (block.start['type'] !== 'tool_use') return undefined
  const input = block.inputJson === '' ? JSON.stringify(block.start['input'] ?? {}) : block.inputJson
  return { id: stringIn(block.start, 'id') ?? '', name: stringIn(block.start, 'name') ?? '', arguments: input }
}

function stringIn(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}
