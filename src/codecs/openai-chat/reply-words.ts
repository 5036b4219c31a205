import { objectsOf, stringIn } from '../json-members.ts'
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

/** What a chunk says; of several choices the first is read. */
export function saidInChunk(
  data: JsonObject,
  before: ThinkTags,
): { readonly events: readonly ReplyEvent[]; readonly before: ThinkTags } {
  const { delta } = firstChoice(data)
  const words = isJsonObject(delta) ? wordsOf(delta, before) : { events: [], before }
  return { events: [begin(data), ...words.events], before: words.before }
}

/** What a whole completion says. */
export function saidInCompletion(body: string): readonly ReplyEvent[] {
  const data = parseData(body)
  if (!isJsonObject(data)) return []
  const { message } = firstChoice(data)
  const words = isJsonObject(message) ? wordsOf(message, beforeThinking) : undefined
  return [begin(data), ...(words?.events ?? []), ...(words ? restOfThinking(words.before) : [])]
}

function begin(data: JsonObject): ReplyEvent {
  return { kind: 'begin', ...optional('id', stringIn(data, 'id')), ...optional('model', stringIn(data, 'model')) }
}

/** Servers name reasoning in two ways; OpenRouter sends its details beside, which say the same. */
function wordsOf(
  said: JsonObject,
  before: ThinkTags,
): { readonly events: readonly ReplyEvent[]; readonly before: ThinkTags } {
  const reasoning = stringIn(said, 'reasoning_content') ?? stringIn(said, 'reasoning') ?? ''
  const { state, events } = thinkTags(before, textOf(said['content']))
  const refusal = stringIn(said, 'refusal') ?? ''
  return {
    before: state,
    events: [
      ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
      ...events,
      ...(refusal === '' ? [] : [{ kind: 'text', text: refusal, isRefusal: true } as const]),
      ...(said['audio'] ? [lost('media', 'audio', 'what was spoken')] : []),
      ...(Array.isArray(said['annotations']) && said['annotations'].length > 0
        ? [lost('opaque', 'annotations', 'citations of the provider')]
        : []),
      ...objectsOf(said['tool_calls']).flatMap(callEvents),
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

function callEvents(call: JsonObject, place: number): readonly ReplyEvent[] {
  const index = typeof call['index'] === 'number' ? call['index'] : place
  const isText = !isJsonObject(call['function']) && isJsonObject(call['custom'])
  const own = isText ? call['custom'] : call['function']
  const body = isJsonObject(own) ? own : {}
  const name = stringIn(body, 'name')
  const text = stringIn(body, 'arguments') ?? stringIn(body, 'input') ?? ''
  const begins = name !== undefined && name !== ''
  return [
    ...(begins ? [begunCall({ call: index, id: stringIn(call, 'id') ?? `call_${index}`, name }, isText)] : []),
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
