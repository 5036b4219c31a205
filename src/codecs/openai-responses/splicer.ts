import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject, member, scanJson } from '../../core/index.ts'
import type { HiddenToolNames, SpliceState, SpliceStep, StreamSplicer } from '../codec.ts'
import { parseData } from '../reply-body.ts'
import type { NumberMap } from '../number-map.ts'
import { valueAt, withValue } from '../number-map.ts'
import { splicerOf } from '../splicer.ts'
import type { SseEvent } from '../sse.ts'
import { withMembers } from '../splice.ts'
import { endOf } from './hidden.ts'
import { isNamed, shownResponse, visibleItems } from './merge.ts'
import type { ResponsesStreamState } from './reducer.ts'
import { initialState, replyOf, stepData } from './reducer.ts'

interface ResponsesSpliceState extends SpliceState {
  readonly hiddenTools: HiddenToolNames
  /** The current upstream stream, folded. */
  readonly inner: ResponsesStreamState
  /** Upstream streams before the current one. */
  readonly round: number
  /** The client's index of every visible item of the current stream; null for our calls. */
  readonly indexes: NumberMap<number | null>
  readonly nextIndex: number
  /** That of the first stream, which the client knows; undefined in that. */
  readonly id: string | undefined
  /** Raw items of the streams before that the client has seen. */
  readonly shown: readonly string[]
  /** The number that the client's next event has; undefined as long as events have had none. */
  readonly nextNumber: number | undefined
  /** How far the client's numbers are from those of the current stream; undefined until that has told one. */
  readonly shift: number | undefined
  /** The last event of a stream that the client has not got. */
  readonly heldEvent?: SseEvent | undefined
}

type Handler = (state: ResponsesSpliceState, data: JsonObject, event: SseEvent) => SpliceStep

export function responsesSplicer(): StreamSplicer {
  return splicerOf<ResponsesSpliceState>({ begin: begun, step, close, resume, finish })
}

const newStream = {
  inner: initialState,
  indexes: new Map(),
  shift: undefined,
  held: false,
  heldEvent: undefined,
} as const

function begun(hiddenTools: HiddenToolNames): ResponsesSpliceState {
  return { hiddenTools, round: 0, nextIndex: 0, id: undefined, shown: [], nextNumber: undefined, ...newStream }
}

const handlers: Readonly<Record<string, Handler>> = {
  'response.created': responseTold,
  'response.queued': responseTold,
  'response.in_progress': responseTold,
  'response.completed': responseEnded,
  'response.incomplete': responseEnded,
  'response.failed': responseEnded,
  'error': failed,
}

function step(before: ResponsesSpliceState, event: SseEvent): SpliceStep {
  const data = event.comment === undefined ? parseData(event.data) : undefined
  if (!isJsonObject(data)) return { state: before, forward: [event] }
  if (before.inner.ended) return before.held ? { state: before, forward: [] } : itemEvent(before, data, event)
  const state = withShift({ ...before, inner: stepData(before.inner, data, event) }, data)
  const type = typeof data['type'] === 'string' ? data['type'] : ''
  const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined
  if (handler === undefined && state.inner.ended) return failed(state, data, event)
  return (handler ?? itemEvent)(state, data, event)
}

/** The first number of a stream follows the last one that the client has got. */
function withShift(state: ResponsesSpliceState, { sequence_number: number }: JsonObject): ResponsesSpliceState {
  if (state.shift !== undefined || typeof number !== 'number') return state
  return { ...state, shift: (state.nextNumber ?? number) - number }
}

/** The event as the client gets it. */
function forwarded(state: ResponsesSpliceState, data: JsonObject, event: SseEvent): SpliceStep {
  const { sequence_number: number } = data
  if (typeof number !== 'number') return { state, forward: [event] }
  const told = number + (state.shift ?? 0)
  const next = { ...state, nextNumber: told + 1 }
  return { state: next, forward: [told === number ? event : withNumber(event, told)] }
}

function withNumber(event: SseEvent, number: number): SseEvent {
  return { ...event, data: withMembers(event.data, [['sequence_number', String(number)]]) }
}

function dropped(state: ResponsesSpliceState, { sequence_number: number }: JsonObject): SpliceStep {
  const isNumbered = typeof number === 'number' && state.shift !== undefined
  return { state: isNumbered ? { ...state, shift: state.shift - 1 } : state, forward: [] }
}

/** Only the first stream begins for the client. */
function responseTold(state: ResponsesSpliceState, data: JsonObject, event: SseEvent): SpliceStep {
  return state.round > 0 ? dropped(state, data) : forwarded(state, data, shown(state, event))
}

/** Events of an item follow it; others pass. */
function itemEvent(before: ResponsesSpliceState, data: JsonObject, event: SseEvent): SpliceStep {
  const { output_index: index } = data
  if (typeof index !== 'number') return forwarded(before, data, event)
  const state = withPlace(before, index, data['item'])
  const visible = valueAt(state.indexes, index)
  if (visible === null) return dropped(state, data)
  if (visible === undefined || visible === index) return forwarded(state, data, event)
  return forwarded(state, data, { ...event, data: withMembers(event.data, [['output_index', String(visible)]]) })
}

function withPlace(state: ResponsesSpliceState, index: number, item: JsonValue | undefined): ResponsesSpliceState {
  if (valueAt(state.indexes, index) !== undefined) return state
  const { type, name } = isJsonObject(item) ? item : {}
  const isOurs = isNamed(type) && state.hiddenTools.has(String(name))
  return {
    ...state,
    indexes: withValue<number | null>(state.indexes, index, isOurs ? null : state.nextIndex),
    nextIndex: isOurs ? state.nextIndex : state.nextIndex + 1,
  }
}

function responseEnded(state: ResponsesSpliceState, data: JsonObject, event: SseEvent): SpliceStep {
  const end = endOf(replyOf(state.inner), state.hiddenTools)
  const held: ResponsesSpliceState = { ...state, held: true, heldEvent: event }
  return end.mustContinue ? { state: held, forward: [], end } : { ...forwarded(state, data, shown(state, event)), end }
}

function failed(state: ResponsesSpliceState, data: JsonObject, event: SseEvent): SpliceStep {
  return { ...forwarded(state, data, event), end: endOf(replyOf(state.inner), state.hiddenTools) }
}

/** An event that tells the response, as the client is to see it. */
function shown({ shown: all, id, inner, hiddenTools }: ResponsesSpliceState, event: SseEvent): SseEvent {
  // A server that leaves its items out here has told them before, and so have we.
  const before = inner.output === undefined && inner.items !== undefined ? [] : all
  const tree = scanJson(event.data)
  const response = member(tree, tree.root, 'response')
  const data = response === undefined ? event.data : shownResponse(tree, response, { before, hiddenTools, id })
  return data === event.data ? event : { ...event, data }
}

function close(state: ResponsesSpliceState): SpliceStep {
  if (state.inner.ended) return { state, forward: [] }
  return { state, forward: [], end: endOf(replyOf(state.inner), state.hiddenTools) }
}

function resume(state: ResponsesSpliceState): ResponsesSpliceState {
  const tree = scanJson(replyOf(state.inner).message ?? '[]')
  const items = visibleItems(tree, tree.root, state.hiddenTools)
  return {
    ...state,
    ...newStream,
    round: state.round + 1,
    id: state.id ?? state.inner.id,
    shown: [...state.shown, ...items],
  }
}

function finish(state: ResponsesSpliceState): readonly SseEvent[] {
  const { heldEvent, nextNumber } = state
  if (heldEvent === undefined) return []
  const event = shown(state, heldEvent)
  return [nextNumber === undefined ? event : withNumber(event, nextNumber)]
}
