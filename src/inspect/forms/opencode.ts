import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { TracePlace } from '../trace-error.ts'
import { unanswered } from './form.ts'
import type { Found } from './form.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import { perValue } from './per-value.ts'

/** What `opencode export SESSION` prints. */
export const opencode = perValue({
  name: 'opencode export',
  ofAgent: true,
  recognise: (value) =>
    isJsonObject(value['info']) &&
    Array.isArray(value['messages']) &&
    objectsIn(value, 'messages').every((message) => isJsonObject(message['info']) || Array.isArray(message['parts'])),
  read: (value, place) => [sessionOf(value, place)],
})

function sessionOf(value: JsonObject, place: TracePlace): Found {
  const messages = objectsIn(value, 'messages').flatMap((message) => chatOf(message))
  if (!messages.some(({ role }) => role === 'assistant'))
    return unanswered(place, 'is an opencode export without an answer', 'Export a session in which the model answered')
  const infos = objectsIn(value, 'messages').map((message) => objectIn(message, 'info'))
  const model = infos.map((info) => textIn(info, 'modelID') ?? textIn(info['model'], 'modelID')).find(Boolean)
  const id = textIn(value['info'], 'id')
  return {
    kind: 'session',
    ...(id !== undefined && { id }),
    body: { ...(model !== undefined && { model }), messages },
    place,
    dialect: 'openai-chat',
  }
}

function chatOf(message: JsonObject): readonly JsonObject[] {
  const info = objectIn(message, 'info')
  const ts = objectIn(info, 'time')['created']
  const time: JsonObject = typeof ts === 'number' ? { ts } : {}
  const parts = objectsIn(message, 'parts')
  if (info['role'] !== 'assistant') {
    const content = parts.flatMap((part): readonly JsonObject[] => userPart(part) ?? [])
    return content.length === 0 ? [] : [{ ...time, role: 'user', content }]
  }
  return stepsOf(parts).flatMap((step) => answerOf(step, time))
}

function userPart(part: JsonObject): readonly JsonObject[] | undefined {
  if (part['type'] === 'text' && part['ignored'] !== true) return [{ type: 'text', text: textIn(part, 'text') ?? '' }]
  const url = textIn(part, 'url')
  return part['type'] === 'file' && url?.startsWith('data:') ? [{ type: 'image_url', image_url: { url } }] : undefined
}

/** Older versions keep all requests of a turn in one message, each begun by a step. */
function stepsOf(parts: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const steps: JsonObject[][] = [[]]
  for (const part of parts) {
    if (part['type'] === 'step-start' && steps.at(-1)?.length) steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps
}

function answerOf(parts: readonly JsonObject[], time: JsonObject): readonly JsonObject[] {
  const textsOf = (type: string): readonly string[] =>
    parts.flatMap((part) => (part['type'] === type ? (textIn(part, 'text') ?? []) : []))
  const reasoning = textsOf('reasoning').join('\n')
  const tools = parts.filter(({ type }) => type === 'tool')
  const calls = tools.map((part): JsonObject => {
    const input: JsonValue = objectIn(part, 'state')['input'] ?? {}
    const call = { name: textIn(part, 'tool') ?? '', arguments: JSON.stringify(input) }
    return { id: textIn(part, 'callID') ?? '', type: 'function', function: call }
  })
  const texts = textsOf('text')
  if (texts.length === 0 && calls.length === 0) return []
  return [
    {
      ...time,
      role: 'assistant',
      content: texts.length === 0 ? null : texts.join('\n'),
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    ...tools.map(resultOf),
  ]
}

function resultOf(part: JsonObject): JsonObject {
  const state = objectIn(part, 'state')
  const ts = objectIn(state, 'time')['end']
  const isError = state['status'] === 'error'
  return {
    ...(typeof ts === 'number' && { ts }),
    role: 'tool',
    tool_call_id: textIn(part, 'callID') ?? '',
    content: textIn(state, 'output', 'error') ?? '',
    ...(isError && { is_error: true }),
  }
}
