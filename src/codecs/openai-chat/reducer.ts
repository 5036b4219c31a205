import type { JsonObject, JsonValue, Reply, ToolCall } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { StreamState } from '../codec.ts'
import { optional } from '../optional.ts'
import { failureOf, parseData, truncated } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import { openaiUsage } from './usage.ts'

interface CallState {
  readonly index: number
  /** The call as its deltas have built it, unknown members included. */
  readonly call: JsonObject
}

export interface OpenaiStreamState extends StreamState {
  readonly id?: string
  readonly model?: string
  /** Members of the message except its calls. */
  readonly message: JsonObject
  readonly calls: readonly CallState[]
  readonly finishReason?: string
  /** Choices that have been heard of, and whether they have finished. */
  readonly choices: ReadonlyMap<number, boolean>
  readonly usage?: JsonValue
  readonly failure?: { readonly type: string; readonly message: string }
}

export const initialState: OpenaiStreamState = { ended: false, message: {}, calls: [], choices: new Map() }

/** Folds one chunk; of several choices the first is read. Data that is no JSON changes nothing. */
export function step(state: OpenaiStreamState, event: SseEvent): OpenaiStreamState {
  if (event.comment !== undefined) return state
  if (event.data.trim() === '[DONE]') return { ...state, ended: true }
  const data = parseData(event.data)
  return isJsonObject(data) ? stepData(state, data) : state
}

/** Escapes may hide a name; text that a model writes has its quotes escaped. */
const reporting = /"(?:usage|error)"\s*:\s*(?!null|\s)|"finish_reason"\s*:\s*"|"index"\s*:\s*[1-9]|\[DONE\]|\\u/

export function reports({ data, comment }: SseEvent): boolean {
  return comment === undefined && reporting.test(data)
}

export function stepData(state: OpenaiStreamState, data: JsonObject): OpenaiStreamState {
  if (data['error'] !== undefined && data['error'] !== null) {
    return { ...state, ended: true, failure: failureOf(data['error']) }
  }
  const choice = firstChoice(data)
  return {
    ...state,
    ...optional('id', state.id ?? stringIn(data, 'id')),
    ...optional('model', state.model ?? stringIn(data, 'model')),
    ...optional('usage', isJsonObject(data['usage']) ? data['usage'] : state.usage),
    ...optional('finishReason', stringIn(choice, 'finish_reason') ?? state.finishReason),
    choices: heardOf(state.choices, data),
    ...withDelta(state, choice['delta']),
  }
}

export function replyOf(state: OpenaiStreamState): Reply {
  const calls = state.calls.toSorted((a, b) => a.index - b.index).map(({ call }) => call)
  const content = state.message['content']
  const failure = state.failure ?? (state.ended || haveAllFinished(state) ? undefined : truncated)
  const message = {
    role: 'assistant',
    content: null,
    ...state.message,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  return {
    ...optional('id', state.id),
    ...optional('model', state.model),
    text: typeof content === 'string' ? content : '',
    toolCalls: calls.map(toToolCall),
    ...optional('stopReason', state.finishReason),
    ...optional('usage', openaiUsage(state.usage)),
    message: JSON.stringify(message),
    ...optional('failure', failure),
  }
}

/** Some servers never send `[DONE]`. */
function haveAllFinished({ choices }: OpenaiStreamState): boolean {
  return choices.size > 0 && choices.values().every((hasFinished) => hasFinished)
}

function heardOf(before: OpenaiStreamState['choices'], data: JsonObject): OpenaiStreamState['choices'] {
  const choices: readonly JsonValue[] = Array.isArray(data['choices']) ? data['choices'] : []
  let heard = before
  for (const choice of choices) {
    if (!isJsonObject(choice)) continue
    const { index = 0, finish_reason: reason } = choice
    if (typeof index !== 'number') continue
    const hasFinished = heard.get(index) === true || (typeof reason === 'string' && reason !== '')
    if (heard.get(index) !== hasFinished) heard = new Map(heard).set(index, hasFinished)
  }
  return heard
}

export function firstChoice(data: JsonObject): JsonObject {
  const choices: readonly JsonValue[] = Array.isArray(data['choices']) ? data['choices'] : []
  const first = choices.find((choice) => isJsonObject(choice) && (choice['index'] ?? 0) === 0)
  return isJsonObject(first) ? first : {}
}

function withDelta(
  state: OpenaiStreamState,
  delta: JsonValue | undefined,
): Pick<OpenaiStreamState, 'message' | 'calls'> {
  if (!isJsonObject(delta)) return { message: state.message, calls: state.calls }
  const { tool_calls: added, ...rest } = delta
  const told = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  const calls: readonly JsonValue[] = Array.isArray(added) ? added : []
  return {
    message: Object.keys(told).length === 0 ? state.message : mergeDelta(state.message, told),
    calls: calls.reduce<readonly CallState[]>(addCall, state.calls),
  }
}

function addCall(calls: readonly CallState[], delta: JsonValue): readonly CallState[] {
  if (!isJsonObject(delta)) return calls
  const { index: place, ...rest } = delta
  const index = typeof place === 'number' ? place : calls.length
  const old = calls.find((call) => call.index === index)
  if (old === undefined) return [...calls, { index, call: rest }]
  return calls.map((call) => (call === old ? { index, call: mergeDelta(call.call, rest) } : call))
}

/** Members that name something come whole and may be repeated; all other strings are pieces of a longer one. */
const wholeMembers: ReadonlySet<string> = new Set(['role', 'id', 'type', 'name', 'format', 'index'])

function mergeDelta(before: JsonObject, delta: JsonObject): JsonObject {
  const merged = Object.entries(delta).map(([name, value]): [string, JsonValue] => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined
    return [
      name,
      wholeMembers.has(name) ? (value === null || value === '' ? (old ?? value) : value) : mergeValue(old, value),
    ]
  })
  return { ...before, ...Object.fromEntries(merged) }
}

function mergeValue(before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (value === null) return before ?? null
  if (typeof before === 'string' && typeof value === 'string') return before + value
  if (Array.isArray(before) && Array.isArray(value)) return mergeLists(before, value)
  if (isJsonObject(before) && isJsonObject(value)) return mergeDelta(before, value)
  return value
}

/** Elements that carry the same `index` and `type` are pieces of one (OpenRouter's reasoning details). */
function mergeLists(before: readonly JsonValue[], added: readonly JsonValue[]): readonly JsonValue[] {
  return added.reduce<readonly JsonValue[]>((list, element) => {
    const last = list.at(-1)
    const joins = isJsonObject(element) && isJsonObject(last) && typeof element['index'] === 'number'
    if (!joins || element['index'] !== last['index'] || element['type'] !== last['type']) return [...list, element]
    return [...list.slice(0, -1), mergeDelta(last, element)]
  }, before)
}

function toToolCall(call: JsonObject): ToolCall {
  const own = isJsonObject(call['function']) ? call['function'] : call['custom']
  const body = isJsonObject(own) ? own : {}
  return {
    id: stringIn(call, 'id') ?? '',
    name: stringIn(body, 'name') ?? '',
    arguments: stringIn(body, 'arguments') ?? stringIn(body, 'input') ?? '',
  }
}

function stringIn(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}
