import { objectsOf, stringIn } from '../json-members.ts'
import type { JsonObject, ReplyEvent, StopReason } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { parseData } from '../reply-body.ts'

export const responsesReasons: Readonly<Record<string, StopReason>> = {
  completed: 'end',
  incomplete: 'length',
  max_output_tokens: 'length',
  content_filter: 'refused',
}

/** Places of items of which pieces have come: what is told whole after them says nothing new. */
export type ToldItems = ReadonlySet<number>

type Said = { readonly events: readonly ReplyEvent[]; readonly before: ToldItems }

export function saidInEvent(data: JsonObject, before: ToldItems): Said {
  const { type, response, item, delta, output_index: index } = data
  if (type === 'response.created' && isJsonObject(response)) return { events: [begin(response)], before }
  const place = typeof index === 'number' ? index : 0
  if (isJsonObject(item)) return itemEvents(item, { place, before, isDone: type === 'response.output_item.done' })
  const kind = typeof type === 'string' && Object.hasOwn(pieces, type) ? pieces[type] : undefined
  if (kind === undefined || typeof delta !== 'string' || delta === '') return { events: [], before }
  const event: ReplyEvent =
    kind === 'arguments'
      ? { kind, call: place, text: delta }
      : { kind, text: delta, ...(type === 'response.refusal.delta' && { isRefusal: true as const }) }
  return { events: [event], before: new Set([...before, place]) }
}

const pieces: Readonly<Record<string, 'text' | 'reasoning' | 'arguments'>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'text',
  'response.reasoning_text.delta': 'reasoning',
  'response.reasoning_summary_text.delta': 'reasoning',
  'response.function_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'arguments',
}

interface Told {
  readonly place: number
  readonly before: ToldItems
  readonly isDone: boolean
}

function itemEvents(item: JsonObject, { place, before, isDone }: Told): Said {
  const whole = wholeItem(item, place)
  if (isDone) return { events: before.has(place) ? whole.filter(({ kind }) => !isPiece.has(kind)) : whole, before }
  return { events: whole.filter(({ kind }) => kind === 'call'), before }
}

const isPiece: ReadonlySet<ReplyEvent['kind']> = new Set<ReplyEvent['kind']>(['text', 'reasoning', 'arguments'])

/** What a whole response says. */
export function saidInResponse(body: string): readonly ReplyEvent[] {
  const data = parseData(body)
  return isJsonObject(data) ? [begin(data), ...objectsOf(data['output']).flatMap(wholeItem)] : []
}

function begin(response: JsonObject): ReplyEvent {
  return {
    kind: 'begin',
    ...optional('id', stringIn(response, 'id')),
    ...optional('model', stringIn(response, 'model')),
  }
}

function wholeItem(item: JsonObject, place: number): readonly ReplyEvent[] {
  switch (item['type']) {
    case 'message':
      return objectsOf(item['content']).flatMap(partEvents)
    case 'reasoning': {
      const parts = [...objectsOf(item['summary']), ...objectsOf(item['content'])]
      const words = parts.flatMap((part) => textEvents('reasoning', stringIn(part, 'text')))
      return stringIn(item, 'encrypted_content') ? [...words, lost('reasoning', 'encrypted_content')] : words
    }
    case 'function_call':
    case 'custom_tool_call':
      return callEvents(item, place)
    default:
      return [lost('opaque', stringIn(item, 'type') ?? 'item')]
  }
}

function partEvents(part: JsonObject): readonly ReplyEvent[] {
  const refusal = stringIn(part, 'refusal')
  const words =
    refusal === undefined || refusal === ''
      ? textEvents('text', stringIn(part, 'text'))
      : [{ kind: 'text', text: refusal, isRefusal: true } as const]
  return objectsOf(part['annotations']).length > 0 ? [...words, lost('opaque', 'annotations')] : words
}

function callEvents(item: JsonObject, call: number): readonly ReplyEvent[] {
  const told = item['arguments'] ?? item['input'] ?? ''
  const text = typeof told === 'string' ? told : JSON.stringify(told)
  return [
    {
      kind: 'call',
      call,
      id: stringIn(item, 'call_id') ?? '',
      name: stringIn(item, 'name') ?? '',
      ...(item['type'] === 'custom_tool_call' && { isText: true }),
    },
    ...(text === '' ? [] : [{ kind: 'arguments', call, text } as const]),
    { kind: 'call-end', call },
  ]
}

function textEvents(kind: 'text' | 'reasoning', text: string | undefined): readonly ReplyEvent[] {
  return text === undefined || text === '' ? [] : [{ kind, text }]
}

function lost(kind: 'reasoning' | 'opaque', what: string): ReplyEvent {
  return { kind: 'lost', loss: { kind, what, why: 'cannot be told in another dialect' } }
}
