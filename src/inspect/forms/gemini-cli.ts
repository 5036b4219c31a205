import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { TracePlace } from '../trace-error.ts'
import { unanswered } from './form.ts'
import type { Form, Found, Located } from './form.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import { sessionLines } from './session-lines.ts'

/** `~/.gemini/tmp/PROJECT/chats/session-*.json` and, of newer versions, `.jsonl`. */
export const geminiCli: Form = {
  name: 'Gemini CLI session',
  ofAgent: true,
  isWhole: true,
  recognise: (value) => {
    if (!isJsonObject(value)) return false
    if (isJsonObject(value['$set']) || '$rewindTo' in value) return true
    if ('sessionId' in value && 'projectHash' in value) return true
    return isEntry(value) && (value['type'] === 'gemini' || 'id' in value) && !('uuid' in value)
  },
  read: (values) => {
    const lines = sessionLines(values)
    const [first] = lines
    if (first === undefined) return []
    const entries = entriesOf(lines.map(({ line }) => line))
    const id = lines.map(({ line }) => textIn(line, 'sessionId')).find((name) => name !== undefined)
    const model = entries.map((entry) => textIn(entry, 'model')).find((name) => name !== undefined)
    return [sessionOf({ id, model, contents: contentsOf(entries), place: first.place })]
  },
}

/** What `/chat save` writes: the contents as they are sent. */
export const geminiCheckpoint: Form = {
  name: 'Gemini CLI checkpoint',
  ofAgent: true,
  recognise: (value) => {
    const list = Array.isArray(value) ? value : objectIn(value)['history']
    return (
      Array.isArray(list) &&
      list.length > 0 &&
      list.every(
        (one) => isJsonObject(one) && Array.isArray(one['parts']) && /^(?:user|model)$/.test(String(one['role'])),
      )
    )
  },
  read: (values) =>
    values.map(({ value, place }) => {
      const contents = Array.isArray(value) ? objectsIn(value) : objectsIn(value, 'history')
      return sessionOf({ id: undefined, model: undefined, contents, place })
    }),
}

/** `~/.qwen/projects/PROJECT/chats/*.jsonl`: one content a line. */
export const qwenCode: Form = {
  name: 'Qwen Code session',
  ofAgent: true,
  isWhole: true,
  recognise: (value) =>
    isJsonObject(value) &&
    'uuid' in value &&
    'sessionId' in value &&
    (Array.isArray(objectIn(value, 'message')['parts']) || (value['type'] === 'system' && 'systemPayload' in value)),
  read: (values) => readQwen(values),
}

function readQwen(values: readonly Located[]): readonly Found[] {
  const lines = sessionLines(values)
  const [first] = lines
  if (first === undefined) return []
  const contents = lines.flatMap(({ line }): readonly JsonObject[] => {
    const { role, parts } = objectIn(line, 'message')
    return role === undefined || parts === undefined ? [] : [{ ...timed(line), role, parts }]
  })
  const id = textIn(first.line, 'sessionId')
  const model = lines.map(({ line }) => textIn(line, 'model')).find((name) => name !== undefined)
  return [sessionOf({ id, model, contents, place: first.place })]
}

function isEntry(value: JsonObject): boolean {
  return (
    /^(?:user|gemini|info|error|warning)$/.test(String(value['type'])) && 'content' in value && 'timestamp' in value
  )
}

/** In order of first appearance, each as it was written last. */
function entriesOf(lines: readonly JsonObject[]): readonly JsonObject[] {
  const entries = new Map<string, JsonObject>()
  for (const line of lines) {
    const rewound = textIn(line, '$rewindTo')
    if (rewound !== undefined) rewind(entries, rewound)
    const set = objectIn(line, '$set')
    if (Array.isArray(set['messages'])) entries.clear()
    for (const entry of [...objectsIn(set, 'messages'), ...objectsIn(line, 'messages'), line]) {
      if (isEntry(entry)) entries.set(textIn(entry, 'id') ?? `${entries.size}`, entry)
    }
  }
  return Array.from(entries.values())
}

function rewind(entries: Map<string, JsonObject>, to: string): void {
  const ids = Array.from(entries.keys())
  const index = ids.indexOf(to)
  for (const id of index < 0 ? [] : ids.slice(index)) entries.delete(id)
}

function contentsOf(entries: readonly JsonObject[]): readonly JsonObject[] {
  const said = entries.filter(({ type }) => type === 'user' || type === 'gemini')
  return said.flatMap((entry, index): readonly JsonObject[] => {
    const parts = partsOf(entry['content'])
    if (entry['type'] === 'user') return parts.length === 0 ? [] : [{ ...timed(entry), role: 'user', parts }]
    const calls = objectsIn(entry, 'toolCalls')
    const thoughts = objectsIn(entry, 'thoughts').map((thought): JsonObject => {
      const text = [textIn(thought, 'subject'), textIn(thought, 'description')].filter(Boolean).join('\n')
      return { text, thought: true }
    })
    const called = calls.map(({ id, name, args }): JsonObject => {
      return { functionCall: { ...(id !== undefined && { id }), name: name ?? '', args: args ?? {} } }
    })
    const answer = { ...timed(entry), role: 'model', parts: [...thoughts, ...parts, ...called] }
    // Newer versions write the results a second time, as the content that is sent.
    const next = said[index + 1]
    const isSent = next?.['type'] === 'user' && partsOf(next['content']).some((part) => 'functionResponse' in part)
    const results = isSent ? [] : calls.flatMap((call) => partsOf(call['result']))
    return results.length === 0 ? [answer] : [answer, { ...timed(entry), role: 'user', parts: results }]
  })
}

function partsOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  if (isJsonObject(content)) return [content]
  return Array.isArray(content) ? content.flatMap((part: JsonValue) => partsOf(part)) : []
}

function timed({ timestamp }: JsonObject): JsonObject {
  return typeof timestamp === 'string' ? { ts: timestamp } : {}
}

interface Spoken {
  readonly id: string | undefined
  readonly model: string | undefined
  readonly contents: readonly JsonObject[]
  readonly place: TracePlace
}

function sessionOf({ id, model, contents, place }: Spoken): Found {
  if (!contents.some(({ role }) => role === 'model'))
    return unanswered(place, 'holds no answer of the model', 'Give a session in which the model answered')
  return {
    kind: 'session',
    ...(id !== undefined && { id }),
    body: { ...(model !== undefined && { model }), contents },
    place,
    dialect: 'gemini',
  }
}
