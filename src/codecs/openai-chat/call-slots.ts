import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { stringIn } from '../json-members.ts'
import type { NumberMap } from '../number-map.ts'
import { valueAt, withValue } from '../number-map.ts'
import { parseData } from '../reply-body.ts'

/** The calls of a stream so far. A value. */
export interface CallSlots {
  /** Their number; a call's own number is its place among them. */
  readonly count: number
  /** The call that was told of last. */
  readonly last?: number
  readonly calls: NumberMap<KnownCall>
  /** The latest call under each index that the server gives. */
  readonly byIndex: NumberMap<number>
  /** The calls of servers that give no index, by their ids. */
  readonly byId: ReadonlyMap<string, number>
}

interface KnownCall {
  readonly id: string
  readonly name: string
  readonly hasArguments: boolean
}

export const noSlots: CallSlots = { count: 0, calls: new Map(), byIndex: new Map(), byId: new Map() }

/**
 * Which call an element of `tool_calls` is a piece of. An id that is new begins a new call, whatever its index: compatible servers give
 * several calls the same index, or none. Where there is no id, a name and whole arguments behind those of another call begin one.
 */
export function callSlot(before: CallSlots, piece: JsonObject): { readonly slots: CallSlots; readonly slot: number } {
  const index = typeof piece['index'] === 'number' ? piece['index'] : undefined
  const told = toldIn(piece)
  const found = knownCall(before, index, told)
  const slot = found ?? before.count
  const old = found === undefined ? undefined : valueAt(before.calls, found)
  const call: KnownCall = {
    id: old?.id || told.id,
    name: old?.name || told.name,
    hasArguments: (old?.hasArguments ?? false) || told.hasArguments,
  }
  const isNew = found === undefined
  const slots: CallSlots = {
    count: isNew ? before.count + 1 : before.count,
    last: slot,
    calls: withValue(before.calls, slot, call),
    byIndex: index === undefined ? before.byIndex : withValue(before.byIndex, index, slot),
    byId: index === undefined && isNew && told.id !== '' ? new Map([...before.byId, [told.id, slot]]) : before.byId,
  }
  return { slots, slot }
}

interface Told extends KnownCall {
  /** Whether the piece holds a call's arguments from their beginning to their end. */
  readonly isWhole: boolean
}

function toldIn(piece: JsonObject): Told {
  const body = callBody(piece)
  const text = argumentsIn(body) ?? ''
  return {
    id: stringIn(piece, 'id') ?? '',
    name: stringIn(body, 'name') ?? '',
    hasArguments: text !== '',
    isWhole: text.trimStart().startsWith('{') && isJsonObject(parseData(text)),
  }
}

/** Undefined where the piece begins a call. */
function knownCall(
  { calls, byIndex, byId, last }: CallSlots,
  index: number | undefined,
  told: Told,
): number | undefined {
  const slot = index === undefined ? (byId.get(told.id) ?? last) : valueAt(byIndex, index)
  const call = slot === undefined ? undefined : valueAt(calls, slot)
  if (call === undefined) return undefined
  if (told.id !== '')
    return call.id === '' ? (begins(call, told, index) ? undefined : slot) : call.id === told.id ? slot : undefined
  return begins(call, told, index) ? undefined : slot
}

/** Whether a piece begins a call of its own behind this one, although no id says so. */
function begins(call: KnownCall, { name, isWhole }: Told, index: number | undefined): boolean {
  if (name === '' || call.name === '') return false
  return index === undefined || name !== call.name || (isWhole && call.hasArguments)
}

/** What a call calls. */
export function callBody(call: JsonObject): JsonObject {
  const own = isJsonObject(call['function']) ? call['function'] : call['custom']
  return isJsonObject(own) ? own : {}
}

/** What a call gives the tool; some servers tell it as an object. */
export function argumentsIn(body: JsonObject): string | undefined {
  const told: JsonValue | undefined = body['arguments'] ?? body['input']
  if (told === undefined || told === null) return undefined
  return typeof told === 'string' ? told : JSON.stringify(told)
}
