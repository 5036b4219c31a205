import { objectsOf, stringIn } from '../json-members.ts'
import { argumentsIn, callBody, callSlot, noSlots } from './call-slots.ts'
import type { CallSlots } from './call-slots.ts'
import type { JsonObject, JsonValue, ReplyEvent, StopReason } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { beforeThinking, restOfThinking, thinkTags } from '../replies/think-tags.ts'
import type { ThinkTags } from '../replies/think-tags.ts'
import { parseData } from '../reply-body.ts'
import { firstChoice } from './reducer.ts'

export const openaiReasons: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'refused',
}

/** Routers end a reply so that nobody could finish. */
export const openaiFailures: ReadonlySet<string> = new Set(['error'])

/** What has come before a chunk. */
export interface ChatBefore {
  readonly tags: ThinkTags
  readonly slots: CallSlots
}

export const nothingSaid: ChatBefore = { tags: beforeThinking, slots: noSlots }

/** What is left of it when nothing more comes. */
export function restOfChat({ tags }: ChatBefore): readonly ReplyEvent[] {
  return restOfThinking(tags)
}

interface Said {
  readonly events: readonly ReplyEvent[]
  readonly before: ChatBefore
}

/** What a chunk says; of several choices the first is read. */
export function saidInChunk(data: JsonObject, before: ChatBefore): Said {
  const { delta } = firstChoice(data)
  const words = isJsonObject(delta) ? wordsOf(delta, before) : { events: [], before }
  return { events: [begin(data), ...words.events], before: words.before }
}

/** What a whole completion says. */
export function saidInCompletion(body: string): readonly ReplyEvent[] {
  const data = parseData(body)
  if (!isJsonObject(data)) return []
  const { message } = firstChoice(data)
  const words = isJsonObject(message)
    ? wordsOf({ ...message, tool_calls: numbered(message['tool_calls']) }, nothingSaid)
    : undefined
  return [begin(data), ...(words?.events ?? []), ...(words ? restOfChat(words.before) : [])]
}

function begin(data: JsonObject): ReplyEvent {
  return { kind: 'begin', ...optional('id', stringIn(data, 'id')), ...optional('model', stringIn(data, 'model')) }
}

/** Servers name reasoning in two ways; OpenRouter sends its details beside, which say the same. */
function wordsOf(said: JsonObject, before: ChatBefore): Said {
  const reasoning = stringIn(said, 'reasoning_content') ?? stringIn(said, 'reasoning') ?? thoughtIn(said['content'])
  const { state, events } = thinkTags(before.tags, textOf(said['content']))
  const calls = callsOf(said['tool_calls'], before.slots)
  const refusal = stringIn(said, 'refusal') ?? ''
  return {
    before: { tags: state, slots: calls.slots },
    events: [
      ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
      ...events,
      ...(refusal === '' ? [] : [{ kind: 'text', text: refusal, isRefusal: true } as const]),
      ...(said['audio'] ? [lost('media', 'audio', 'what was spoken')] : []),
      ...(Array.isArray(said['annotations']) && said['annotations'].length > 0
        ? [lost('opaque', 'annotations', 'citations of the provider')]
        : []),
      ...calls.events,
      ...oldCall(said['function_call']),
    ],
  }
}

function lost(kind: 'media' | 'opaque', what: string, why: string): ReplyEvent {
  return { kind: 'lost', loss: { kind, what, why: `${why} cannot be told in another dialect` } }
}

function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => (part['type'] === 'text' ? (stringIn(part, 'text') ?? '') : ''))
    .join('')
}

/** Reasoning that stands in the content, in parts of its own (Mistral). */
function thoughtIn(content: JsonValue | undefined): string {
  return objectsOf(content)
    .flatMap((part) => (part['type'] === 'thinking' ? [stringIn(part, 'thinking') ?? textOf(part['thinking'])] : []))
    .join('')
}

/** The calls of a whole message come one by one. */
function numbered(calls: JsonValue | undefined): JsonValue {
  return objectsOf(calls).map((call, index) => ({ ...call, index }))
}

function callsOf(
  pieces: JsonValue | undefined,
  before: CallSlots,
): { readonly events: readonly ReplyEvent[]; readonly slots: CallSlots } {
  let slots = before
  const events: ReplyEvent[] = []
  for (const piece of objectsOf(pieces)) {
    const placed = callSlot(slots, piece)
    slots = placed.slots
    events.push(...callEvents(piece, placed.slot))
  }
  return { events, slots }
}

function callEvents(call: JsonObject, index: number): readonly ReplyEvent[] {
  const isText = !isJsonObject(call['function']) && isJsonObject(call['custom'])
  const body = callBody(call)
  const name = stringIn(body, 'name')
  const text = argumentsIn(body) ?? ''
  const begins = name !== undefined && name !== ''
  return [
    ...(begins ? [begunCall({ call: index, id: stringIn(call, 'id') ?? '', name }, isText)] : []),
    ...(text === '' ? [] : [{ kind: 'arguments', call: index, text } as const]),
  ]
}

function begunCall(
  call: { readonly call: number; readonly id: string; readonly name: string },
  isText: boolean,
): ReplyEvent {
  return { kind: 'call', ...call, ...(isText && { isText }) }
}

/** The form of before there were several calls. */
function oldCall(call: JsonValue | undefined): readonly ReplyEvent[] {
  return isJsonObject(call) ? callEvents({ function: call }, 0) : []
}
