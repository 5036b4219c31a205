import { stringIn } from '../json-members.ts'
import type { JsonObject, JsonValue, ReplyEvent, StopReason } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { parseData } from '../reply-body.ts'

export const anthropicReasons: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  stop_sequence: 'stop-sequence',
  tool_use: 'tool-calls',
  pause_turn: 'paused',
  refusal: 'refused',
}

/** What an event says. A block's index numbers its call. */
export function saidInEvent(data: JsonObject): { readonly events: readonly ReplyEvent[]; readonly before: undefined } {
  const { index } = data
  const place = typeof index === 'number' ? index : 0
  return { events: eventsOf(data, place), before: undefined }
}

function eventsOf(data: JsonObject, place: number): readonly ReplyEvent[] {
  switch (data['type']) {
    case 'message_start':
      return isJsonObject(data['message']) ? [begin(data['message'])] : []
    case 'content_block_start':
      return isJsonObject(data['content_block']) ? blockStart(data['content_block'], place) : []
    case 'content_block_delta':
      return isJsonObject(data['delta']) ? deltaEvents(data['delta'], place) : []
    case 'content_block_stop':
      return [{ kind: 'call-end', call: place }]
    default:
      return []
  }
}

/** What a whole message says. */
export function saidInMessage(body: string): readonly ReplyEvent[] {
  const data = parseData(body)
  if (!isJsonObject(data)) return []
  const content: readonly JsonValue[] = Array.isArray(data['content']) ? data['content'] : []
  return [begin(data), ...content.filter(isJsonObject).flatMap(wholeBlock)]
}

export function stopSequenceIn(data: JsonObject): string | undefined {
  const delta = isJsonObject(data['delta']) ? data['delta'] : {}
  return stringIn(data, 'stop_sequence') ?? stringIn(delta, 'stop_sequence')
}

function begin(message: JsonObject): ReplyEvent {
  return { kind: 'begin', ...optional('id', stringIn(message, 'id')), ...optional('model', stringIn(message, 'model')) }
}

function blockStart(block: JsonObject, place: number): readonly ReplyEvent[] {
  switch (block['type']) {
    case 'text':
      return [...textEvents('text', stringIn(block, 'text')), ...citationLoss(block)]
    case 'thinking':
      return [...textEvents('reasoning', stringIn(block, 'thinking')), unsigned]
    case 'tool_use':
      return [{ kind: 'call', call: place, id: stringIn(block, 'id') ?? '', name: stringIn(block, 'name') ?? '' }]
    default:
      return [lostBlock(block)]
  }
}

function wholeBlock(block: JsonObject, place: number): readonly ReplyEvent[] {
  if (block['type'] !== 'tool_use') return blockStart(block, place)
  const text = JSON.stringify(block['input'] ?? {})
  return [...blockStart(block, place), { kind: 'arguments', call: place, text }, { kind: 'call-end', call: place }]
}

function deltaEvents(delta: JsonObject, place: number): readonly ReplyEvent[] {
  switch (delta['type']) {
    case 'text_delta':
      return textEvents('text', stringIn(delta, 'text'))
    case 'thinking_delta':
      return textEvents('reasoning', stringIn(delta, 'thinking'))
    case 'input_json_delta': {
      const text = stringIn(delta, 'partial_json') ?? ''
      return text === '' ? [] : [{ kind: 'arguments', call: place, text }]
    }
    case 'citations_delta':
      return [cited]
    default:
      return []
  }
}

const why = 'cannot be told in another dialect'
const unsigned: ReplyEvent = { kind: 'lost', loss: { kind: 'reasoning', what: 'signature', why } }
const cited: ReplyEvent = { kind: 'lost', loss: { kind: 'opaque', what: 'citations', why } }

function citationLoss({ citations }: JsonObject): readonly ReplyEvent[] {
  return Array.isArray(citations) && citations.length > 0 ? [cited] : []
}

function lostBlock(block: JsonObject): ReplyEvent {
  const what = stringIn(block, 'type') ?? 'block'
  return { kind: 'lost', loss: { kind: what === 'redacted_thinking' ? 'reasoning' : 'opaque', what, why } }
}

function textEvents(kind: 'text' | 'reasoning', text: string | undefined): readonly ReplyEvent[] {
  return text === undefined || text === '' ? [] : [{ kind, text }]
}
