import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject, member, rawText, scanJson } from '../../core/index.ts'
import type { HiddenToolNames, SpliceState, SpliceStep, StreamSplicer } from '../codec.ts'
import { optional } from '../optional.ts'
import { parseData } from '../reply-body.ts'
import type { NumberMap } from '../number-map.ts'
import { valueAt, withValue } from '../number-map.ts'
import { splicerOf } from '../splicer.ts'
import type { SseEvent } from '../sse.ts'
import { withMembers } from '../splice.ts'
import { callReasons, endOf } from './hidden.ts'
import type { AnthropicStreamState } from './reducer.ts'
import { initialState, replyOf, stepData } from './reducer.ts'

interface AnthropicSpliceState extends SpliceState {
  readonly hiddenTools: HiddenToolNames
  /** The current upstream stream, folded. */
  readonly inner: AnthropicStreamState
  /** Upstream streams before the current one. */
  readonly round: number
  /** The client's index of every visible block of the current stream; null for our calls. */
  readonly indexes: NumberMap<number | null>
  readonly nextIndex: number
  /** Calls of the current stream. */
  readonly ourCalls: number
  readonly otherCalls: number
  /** What the first stream began with, as the client knows it. */
  readonly usageShown?: JsonValue
  /** The `message_delta` and `message_stop` that the client has not got. */
  readonly heldEvents: readonly SseEvent[]
}

type Handler = (state: AnthropicSpliceState, data: JsonObject, event: SseEvent) => SpliceStep

export function anthropicSplicer(): StreamSplicer {
  return splicerOf<AnthropicSpliceState>({ begin: begun, step, close, resume, finish })
}

const newStream = { inner: initialState, indexes: new Map(), ourCalls: 0, otherCalls: 0, held: false } as const

function begun(hiddenTools: HiddenToolNames): AnthropicSpliceState {
  return { hiddenTools, round: 0, nextIndex: 0, heldEvents: [], ...newStream }
}

const handlers: Readonly<Record<string, Handler>> = {
  message_start: messageStart,
  content_block_start: blockStart,
  message_delta: messageDelta,
  message_stop: messageStop,
  error: (state, _, event) => ({ state, forward: [event], end: endOf(replyOf(state.inner), state.hiddenTools) }),
}

function step(state: AnthropicSpliceState, event: SseEvent): SpliceStep {
  const data = event.comment === undefined ? parseData(event.data) : undefined
  if (!isJsonObject(data)) return { state, forward: [event] }
  if (state.inner.ended) return state.held ? { state, forward: [] } : blockEvent(state, data, event)
  const type = typeof data['type'] === 'string' ? data['type'] : ''
  const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined
  return (handler ?? blockEvent)({ ...state, inner: stepData(state.inner, data, event) }, data, event)
}

function messageStart(state: AnthropicSpliceState, _: JsonObject, event: SseEvent): SpliceStep {
  if (state.round > 0) return { state, forward: [] }
  return { state: { ...state, ...optional('usageShown', state.inner.usage) }, forward: [event] }
}

function blockStart(state: AnthropicSpliceState, data: JsonObject, event: SseEvent): SpliceStep {
  const { index, content_block: block } = data
  if (typeof index !== 'number' || !isJsonObject(block)) return { state, forward: [event] }
  const isCall = block['type'] === 'tool_use'
  const isOurs = isCall && state.hiddenTools.has(String(block['name']))
  const next: AnthropicSpliceState = {
    ...state,
    indexes: withValue<number | null>(state.indexes, index, isOurs ? null : state.nextIndex),
    nextIndex: isOurs ? state.nextIndex : state.nextIndex + 1,
    ourCalls: state.ourCalls + (isOurs ? 1 : 0),
    otherCalls: state.otherCalls + (isCall && !isOurs ? 1 : 0),
  }
  return blockEvent(next, data, event)
}

/** Deltas and stops of blocks, and events that are not known: those with an index follow their block. */
function blockEvent(state: AnthropicSpliceState, data: JsonObject, event: SseEvent): SpliceStep {
  const index = typeof data['index'] === 'number' ? data['index'] : undefined
  const visible = index === undefined ? undefined : valueAt(state.indexes, index)
  if (visible === null) return { state, forward: [] }
  if (visible === undefined || visible === index) return { state, forward: [event] }
  return { state, forward: [{ ...event, data: withMembers(event.data, [['index', String(visible)]]) }] }
}

function messageDelta(state: AnthropicSpliceState, _: JsonObject, event: SseEvent): SpliceStep {
  if (state.held || mustContinue(state)) {
    const held: AnthropicSpliceState = { ...state, held: true, heldEvents: [event] }
    return { state: held, forward: [] }
  }
  return { state, forward: [state.round === 0 ? event : withUsage(event, state)] }
}

/** The reply is read only where it may say so: a server may report more than once what was used. */
function mustContinue({ ourCalls, otherCalls, inner, hiddenTools }: AnthropicSpliceState): boolean {
  if (ourCalls === 0 || otherCalls > 0 || !callReasons.has(inner.stopReason)) return false
  return endOf(replyOf({ ...inner, ended: true }), hiddenTools).mustContinue
}

function messageStop(state: AnthropicSpliceState, _: JsonObject, event: SseEvent): SpliceStep {
  const end = endOf(replyOf(state.inner), state.hiddenTools)
  if (!state.held) return { state, forward: [event], end }
  const held: AnthropicSpliceState = { ...state, heldEvents: [...state.heldEvents, event] }
  return { state: held, forward: [], end }
}

function close(state: AnthropicSpliceState): SpliceStep {
  if (state.inner.ended) return { state, forward: [] }
  return { state, forward: [], end: endOf(replyOf(state.inner), state.hiddenTools) }
}

function resume(state: AnthropicSpliceState): AnthropicSpliceState {
  return {
    ...state,
    ...newStream,
    round: state.round + 1,
  }
}

function finish(state: AnthropicSpliceState): readonly SseEvent[] {
  const [delta, stop] = state.heldEvents
  if (delta === undefined) return []
  const tree = scanJson(delta.data)
  const inner = member(tree, tree.root, 'delta')
  const ended = withMembers(inner === undefined ? '{}' : rawText(tree, inner), [['stop_reason', '"end_turn"']])
  const changed = { ...delta, data: withMembers(delta.data, [['delta', ended]]) }
  return [withUsage(changed, state), stop ?? { event: 'message_stop', data: '{"type":"message_stop"}' }]
}

/** What the last stream has used, in place of what the client knows of the first one: also where a figure is left out, as 0. */
function withUsage(event: SseEvent, { usageShown, inner: { usage } }: AnthropicSpliceState): SseEvent {
  if (!isJsonObject(usage)) return event
  const shown = isJsonObject(usageShown) ? Object.entries(usageShown) : []
  const zeros = shown.flatMap(([name, value]) => (typeof value === 'number' ? [[name, 0] as const] : []))
  return {
    ...event,
    data: withMembers(event.data, [['usage', JSON.stringify({ ...Object.fromEntries(zeros), ...usage })]]),
  }
}
