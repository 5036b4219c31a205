import { stringIn } from '../json-members.ts'
import type { JsonObject, JsonValue, ModelReply, ToolCall } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { ofChain } from '../chain.ts'
import { argumentsIn, callBody, callSlot, noSlots } from './call-slots.ts'

/** What the deltas of one choice say together. */
export const wordsOf = ofChain(foldDeltas)

type Words = Required<Pick<ModelReply, 'text' | 'toolCalls' | 'message'>>

/** An object of ours, which deltas may change; without a prototype, for its members may have any name. */
interface Growing {
  [name: string]: JsonValue
}

function foldDeltas(deltas: readonly JsonObject[]): Words {
  const said = emptyObject()
  const bySlot = new Map<number, Growing>()
  let slots = noSlots
  for (const { tool_calls: added, ...rest } of deltas) {
    for (const [name, value] of Object.entries(rest)) if (value !== null) grow(said, name, value)
    const calls: readonly JsonValue[] = Array.isArray(added) ? added : []
    for (const call of calls.filter(isJsonObject)) {
      const placed = callSlot(slots, call)
      slots = placed.slots
      addCall(bySlot, placed.slot, call)
    }
  }
  const calls = [...bySlot.values()]
  const content = said['content']
  const message = { role: 'assistant', content: null, ...said, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
  return {
    text: typeof content === 'string' ? content : '',
    toolCalls: calls.map(toToolCall),
    message: JSON.stringify(message),
  }
}

/** A call as its deltas have built it, unknown members included. */
function addCall(calls: Map<number, Growing>, slot: number, delta: JsonObject): void {
  const { index: _, ...rest } = delta
  const call = calls.get(slot) ?? emptyObject()
  calls.set(slot, call)
  for (const [name, value] of Object.entries(rest)) grow(call, name, value)
}

/** Members that name something come whole and may be repeated; all other strings are pieces of a longer one. */
const wholeMembers: ReadonlySet<string> = new Set(['role', 'id', 'type', 'name', 'format', 'index'])

function grow(object: Growing, name: string, value: JsonValue): void {
  const old = object[name]
  const isRepeated = wholeMembers.has(name) && (value === null || value === '')
  if (isRepeated) object[name] = old ?? value
  else object[name] = wholeMembers.has(name) ? value : grown(old, value)
}

function grown(old: JsonValue | undefined, value: JsonValue): JsonValue {
  if (value === null) return old ?? null
  if (typeof old === 'string' && typeof value === 'string') return old + value
  if (Array.isArray(old) && Array.isArray(value)) {
    for (const element of value) addElement(old as JsonValue[], element)
    return old
  }
  if (!isJsonObject(old) || !isJsonObject(value)) return owned(value)
  for (const [name, part] of Object.entries(value)) grow(old, name, part)
  return old
}

/** Elements that carry the same `index` and `type` are pieces of one (OpenRouter's reasoning details). */
function addElement(list: JsonValue[], element: JsonValue): void {
  const last = list.at(-1)
  const joins = isJsonObject(element) && isJsonObject(last) && typeof element['index'] === 'number'
  if (joins && element['index'] === last['index'] && element['type'] === last['type']) grown(last, element)
  else list.push(owned(element))
}

/** A copy that may be changed: what a delta says is read again whenever the reply is asked for. */
function owned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(owned)
  return isJsonObject(value) ? grown(emptyObject(), value) : value
}

function emptyObject(): Growing {
  return Object.create(null) as Growing
}

function toToolCall(call: JsonObject): ToolCall {
  const body = callBody(call)
  return {
    id: stringIn(call, 'id') ?? '',
    name: stringIn(body, 'name') ?? '',
    arguments: argumentsIn(body) ?? '',
  }
}
