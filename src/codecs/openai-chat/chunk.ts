import type { JsonNode, JsonObject, JsonTree, JsonValue } from '../../core/index.ts'
import { isJsonObject, member, memberIndex, scanJson, stringAt } from '../../core/index.ts'
import { callSlot, noSlots } from './call-slots.ts'
import type { CallSlots } from './call-slots.ts'
import type { Chain } from '../chain.ts'
import { inOrder } from '../chain.ts'
import type { HiddenToolNames } from '../codec.ts'
import type { NumberMap } from '../number-map.ts'
import { valueAt, withValue } from '../number-map.ts'
import type { SseEvent } from '../sse.ts'
import type { Edit, RawMembers } from '../splice.ts'
import { memberEdits, removeChildren, sortEdits, splice } from '../splice.ts'

/** Where the calls of one upstream stream go in the client's stream. */
export interface SplicedCalls {
  /** The client's index of every call; null for ours. */
  readonly places: NumberMap<number | null>
  /** Deltas of calls whose name has not come yet. */
  readonly waiting: NumberMap<Chain<JsonObject>>
  readonly slots: CallSlots
  /** How many calls have a place, and how many of them are the client's. */
  readonly placed: number
  readonly next: number
}

/** What a chunk is to become; values are raw JSON. */
export interface ChunkChanges {
  readonly identity?: RawMembers
  readonly dropsRole?: boolean
  /** Replaces `delta.tool_calls`; without elements the member goes. */
  readonly toolCalls?: readonly JsonValue[]
  readonly delta?: string
  readonly finishReason?: string
  readonly usage?: string
}

export const noCalls: SplicedCalls = { places: new Map(), waiting: new Map(), slots: noSlots, placed: 0, next: 0 }

/** Whether all calls so far are ours. */
export function areOurs({ placed, next }: SplicedCalls): boolean {
  return placed > 0 && next === 0
}

/** Takes our calls out of a delta's `tool_calls` and numbers the others anew. */
export function spliceCalls(
  before: SplicedCalls,
  delta: JsonValue | undefined,
  hiddenTools: HiddenToolNames,
): { readonly calls: SplicedCalls; readonly deltas: readonly JsonValue[]; readonly changed: boolean } {
  const list = isJsonObject(delta) ? delta['tool_calls'] : undefined
  if (!Array.isArray(list)) return { calls: before, deltas: [], changed: false }
  const elements: readonly JsonValue[] = list
  let calls = before
  const deltas: JsonValue[] = []
  for (const element of elements) {
    const placed = placeCall(calls, element, hiddenTools)
    calls = placed.calls
    deltas.push(...placed.deltas)
  }
  const changed = deltas.length !== elements.length || deltas.some((element, index) => element !== elements[index])
  return { calls, deltas, changed }
}

function placeCall(
  before: SplicedCalls,
  element: JsonValue,
  hiddenTools: HiddenToolNames,
): { readonly calls: SplicedCalls; readonly deltas: readonly JsonValue[] } {
  if (!isJsonObject(element)) return { calls: before, deltas: [element] }
  const { slots, slot: index } = callSlot(before.slots, element)
  const calls = { ...before, slots }
  const place = valueAt(calls.places, index)
  if (place === null) return { calls, deltas: [] }
  if (place !== undefined) return { calls, deltas: [numbered(element, place)] }
  const name = nameOf(element)
  const waiting = { last: element, before: valueAt(calls.waiting, index) }
  if (name === undefined) return { calls: { ...calls, waiting: withValue(calls.waiting, index, waiting) }, deltas: [] }
  const isOurs = hiddenTools.has(name)
  const placed = {
    ...calls,
    places: withValue<number | null>(calls.places, index, isOurs ? null : calls.next),
    placed: calls.placed + 1,
    next: isOurs ? calls.next : calls.next + 1,
  }
  return { calls: placed, deltas: isOurs ? [] : inOrder(waiting).map((delta) => numbered(delta, calls.next)) }
}

function numbered(element: JsonObject, index: number): JsonObject {
  return element['index'] === index ? element : { ...element, index }
}

function nameOf(element: JsonObject): string | undefined {
  const body = element['function'] ?? element['custom']
  const name = isJsonObject(body) ? body['name'] : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** Whether a delta carries something for the client besides its role and calls. */
export function deltaHasWords(delta: JsonValue | undefined): boolean {
  if (!isJsonObject(delta)) return false
  return Object.entries(delta).some(([name, value]) => {
    return name !== 'role' && name !== 'tool_calls' && value !== null && value !== ''
  })
}

/** The chunk with changes spliced in; the event itself when there is nothing to change. */
export function changeChunk(event: SseEvent, changes: ChunkChanges): SseEvent {
  if (Object.keys(changes).length === 0) return event
  const tree = scanJson(event.data)
  const choice = member(tree, tree.root, 'choices')?.children.find((node) => {
    const index = member(tree, node, 'index')
    return index === undefined || tree.text.slice(index.start, index.end) === '0'
  })
  const ofRoot: RawMembers = [
    ...(changes.identity ?? []),
    ...(changes.usage === undefined ? [] : [['usage', changes.usage] as const]),
  ]
  const ofChoice: RawMembers = changes.finishReason === undefined ? [] : [['finish_reason', changes.finishReason]]
  const edits = [
    ...memberEdits(tree, tree.root, ofRoot),
    ...(choice?.kind === 'object' ? memberEdits(tree, choice, ofChoice) : []),
    ...deltaEdits(tree, member(tree, choice, 'delta'), changes),
  ]
  return edits.length === 0 ? event : { ...event, data: splice(event.data, sortEdits(edits)) }
}

function deltaEdits(tree: JsonTree, delta: JsonNode | undefined, changes: ChunkChanges): readonly Edit[] {
  if (delta?.kind !== 'object') return []
  if (changes.delta !== undefined) return [{ start: delta.start, end: delta.end, text: changes.delta }]
  const calls = changes.toolCalls
  const gone = new Set<number>()
  if (changes.dropsRole === true && stringAt(tree, delta, 'role') !== undefined)
    gone.add(memberIndex(tree, delta, 'role'))
  if (calls?.length === 0) gone.add(memberIndex(tree, delta, 'tool_calls'))
  const removed = removeChildren(delta, (index) => gone.has(index))
  if (calls === undefined || calls.length === 0) return removed
  return [...removed, ...memberEdits(tree, delta, [['tool_calls', JSON.stringify(calls)]])]
}
