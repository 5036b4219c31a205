import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import { objectIn, objectsIn, textIn, unquoted } from './json-access.ts'

/** Names of roles in other vocabularies. */
const roles: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  gpt: 'assistant',
  chatbot: 'assistant',
  toolResult: 'tool',
  tool_result: 'tool',
  HumanMessage: 'user',
  HumanMessageChunk: 'user',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  FunctionMessage: 'function',
}

/**
 * Messages of LangChain, OpenTelemetry, the AI SDK, pi and the like as those of Chat Completions. What is Chat's or
 * Anthropic's already stays as it is.
 */
export function chatMessages(list: readonly unknown[]): readonly JsonObject[] {
  return list.flat().flatMap((raw) => (isJsonObject(raw) ? chatMessage(raw) : []))
}

function chatMessage(raw: JsonObject): readonly JsonObject[] {
  const said = { ...raw, ...objectIn(raw, 'data'), ...objectIn(raw, 'kwargs'), ...objectIn(raw, 'message') }
  const role = roleOf(raw, said)
  const parts = Array.isArray(said['parts']) ? said['parts'] : unquoted(said['content'])
  const found = Array.isArray(parts) ? parts.map((part) => partOf(part)) : []
  const isForeign = found.some((part) => part.kind !== 'other' && !isWirePart(part.raw))
  const calls = [...wireCalls(said), ...found.flatMap((part) => (part.kind === 'call' ? [part.call] : []))]
  const results = found.flatMap((part) => (part.kind === 'result' ? [part.message] : []))
  if (!isForeign && role !== 'tool') return [plainMessage(role, said, calls)]
  if (role === 'tool' && results.length === 0) return [toolMessage(said, role)]
  const content = found.flatMap((part) =>
    part.kind === 'content' ? [part.block] : part.kind === 'other' ? [part.raw] : [],
  )
  const reasoning = found.flatMap((part) => (part.kind === 'reasoning' ? [part.text] : [])).join('\n')
  const words =
    content.length > 0 || calls.length > 0
      ? [
          {
            ...kept(said),
            role,
            content,
            ...(reasoning !== '' && { reasoning_content: reasoning }),
            ...(calls.length > 0 && { tool_calls: calls }),
          },
        ]
      : []
  return [...results.map((message) => ({ ...kept(said), ...message })), ...words]
}

function roleOf(raw: JsonObject, said: JsonObject): string {
  const constructor = Array.isArray(raw['id']) ? raw['id'].at(-1) : undefined
  const names = [said['role'], raw['role'], constructor, raw['type'], said['type'], said['from']]
  const name = names.find((one): one is string => typeof one === 'string' && (Object.hasOwn(roles, one) || isRole(one)))
  return name === undefined ? 'user' : (roles[name] ?? name)
}

function isRole(name: string): boolean {
  return ['system', 'developer', 'user', 'assistant', 'tool', 'function'].includes(name)
}

function kept({ ts }: JsonObject): JsonObject {
  return ts === undefined ? {} : { ts }
}

/** One whose content is in the form of a provider, or plain text. */
function plainMessage(role: string, said: JsonObject, calls: readonly JsonObject[]): JsonObject {
  const list = unquoted(said['content'])
  const content = Array.isArray(list) ? list : (said['content'] ?? said['value'] ?? said['parts'] ?? null)
  const isText = content === null || typeof content === 'string' || Array.isArray(content)
  return {
    ...kept(said),
    role,
    content: isText ? content : JSON.stringify(content),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function toolMessage(said: JsonObject, role: string): JsonObject {
  const id = textIn(said, 'tool_call_id', 'toolCallId', 'id')
  const name = textIn(said, 'name', 'toolName')
  const isError = said['is_error'] ?? said['isError'] ?? (said['status'] === 'error' ? true : undefined)
  return {
    ...kept(said),
    role,
    ...(id !== undefined && { tool_call_id: id }),
    ...(name !== undefined && { name }),
    content: resultText(said['content'] ?? said['result'] ?? said['parts'] ?? ''),
    ...(typeof isError === 'boolean' && { is_error: isError }),
  }
}

/** Calls that stand beside the content, in OpenAI's form or LangChain's. */
function wireCalls(said: JsonObject): readonly JsonObject[] {
  const own = objectsIn(said, 'tool_calls')
  const calls = own.length > 0 ? own : objectsIn(objectIn(said, 'additional_kwargs'), 'tool_calls')
  return calls.map((call) => callOf(call)).filter((call) => call !== undefined)
}

function callOf(call: JsonObject): JsonObject | undefined {
  const inner = isJsonObject(call['function']) ? call['function'] : call
  const name = textIn(inner, 'name', 'toolName', 'tool_name')
  if (name === undefined) return undefined
  const id = textIn(call, 'id', 'toolCallId', 'tool_call_id', 'call_id', 'callId')
  const given = inner['arguments'] ?? inner['args'] ?? inner['input'] ?? {}
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return { ...(id !== undefined && { id }), type: 'function', function: { name, arguments: text } }
}

type Part =
  | { readonly kind: 'content'; readonly raw: JsonObject; readonly block: JsonObject }
  | { readonly kind: 'reasoning'; readonly raw: JsonObject; readonly text: string }
  | { readonly kind: 'call'; readonly raw: JsonObject; readonly call: JsonObject }
  | { readonly kind: 'result'; readonly raw: JsonObject; readonly message: JsonObject }
  | { readonly kind: 'other'; readonly raw: JsonObject }

const callTypes: ReadonlySet<unknown> = new Set(['tool_call', 'tool-call', 'toolCall', 'function_call'])
const resultTypes: ReadonlySet<unknown> = new Set([
  'tool_call_response',
  'tool-result',
  'tool_call_result',
  'function_call_output',
])

function partOf(value: unknown): Part {
  const raw: JsonObject = isJsonObject(value) ? value : { type: 'text', text: String(value) }
  const type = raw['type']
  if (callTypes.has(type)) {
    const call = callOf(raw)
    return call === undefined ? { kind: 'other', raw } : { kind: 'call', raw, call }
  }
  if (resultTypes.has(type)) {
    const output = raw['response'] ?? raw['result'] ?? raw['output'] ?? raw['content'] ?? ''
    return { kind: 'result', raw, message: { ...toolMessage({ ...raw, content: output }, 'tool') } }
  }
  const text = textIn(raw, 'text', 'content')
  if (type === 'reasoning') return { kind: 'reasoning', raw, text: text ?? '' }
  if ((type === 'text' || type === undefined) && text !== undefined)
    return { kind: 'content', raw, block: { type: 'text', text } }
  return { kind: 'other', raw }
}

/** Whether a provider's own request has such a part: then the message stays as it is. */
function isWirePart({ type, text }: JsonObject): boolean {
  return type === 'text' && typeof text === 'string'
}

/** What a result says as text: of parts the texts, of an output of the AI SDK its value, of other data its JSON. */
export function resultText(value: JsonValue): string {
  const given = unquotedOutput(value)
  if (typeof given === 'string') return given
  if (!Array.isArray(given)) return JSON.stringify(given)
  return given
    .map((part: unknown) => textIn(part, 'text', 'content') ?? (typeof part === 'string' ? part : JSON.stringify(part)))
    .join('\n')
}

function unquotedOutput(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const { type, value: inner, output } = value
  if (typeof type === 'string' && inner !== undefined) return inner
  return Object.keys(value).length === 1 && typeof output === 'string' ? output : value
}
