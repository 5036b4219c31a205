import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { HiddenToolNames, SpliceState, SpliceStep, StreamSplicer } from '../codec.ts'
import { parseData } from '../reply-body.ts'
import { splicerOf } from '../splicer.ts'
import type { SseEvent } from '../sse.ts'
import type { RawMembers } from '../splice.ts'
import type { ChunkChanges, SplicedCalls } from './chunk.ts'
import { areOurs, changeChunk, deltaHasWords, noCalls, spliceCalls } from './chunk.ts'
import { callReasons, endOf } from './hidden.ts'
import type { OpenaiStreamState } from './reducer.ts'
import { firstChoice, initialState, replyOf, stepData } from './reducer.ts'

interface OpenaiSpliceState extends SpliceState {
  readonly hiddenTools: HiddenToolNames
  /** The current upstream stream, folded. */
  readonly inner: OpenaiStreamState
  /** Upstream streams before the current one. */
  readonly round: number
  readonly calls: SplicedCalls
  /** Raw `id` and `created` of the first chunk, which all chunks of the client's stream carry. */
  readonly identity: RawMembers
  /** Clients need one role, and some join repeated ones. */
  readonly hasRole: boolean
  /** The chunk with the finish reason, and the one with the usage, that the client has not got. */
  readonly heldFinish?: SseEvent
  readonly heldUsage?: SseEvent | undefined
}

export function openaiSplicer(): StreamSplicer {
  return splicerOf<OpenaiSpliceState>({ begin: begun, step, close, resume, finish })
}

function begun(hiddenTools: HiddenToolNames): OpenaiSpliceState {
  return { hiddenTools, inner: initialState, round: 0, calls: noCalls, identity: [], hasRole: false, held: false }
}

function step(state: OpenaiSpliceState, event: SseEvent): SpliceStep {
  if (event.comment !== undefined) return { state, forward: [event] }
  if (state.inner.ended) return { state, forward: state.held ? [] : [event] }
  if (event.data.trim() === '[DONE]') {
    return ended({ ...state, inner: { ...state.inner, ended: true } }, state.held ? [] : [event])
  }
  const data = parseData(event.data)
  if (!isJsonObject(data)) return { state, forward: [event] }
  const folded: OpenaiSpliceState = { ...state, inner: stepData(state.inner, data) }
  if (folded.inner.failure !== undefined) return ended(folded, [event])
  return chunk(withIdentity(folded, data), data, event)
}

function ended(state: OpenaiSpliceState, forward: readonly SseEvent[]): SpliceStep {
  return { state, forward, end: endOf(replyOf(state.inner), state.hiddenTools) }
}

function withIdentity(state: OpenaiSpliceState, data: JsonObject): OpenaiSpliceState {
  if (state.identity.length > 0) return state
  const identity = (['id', 'created'] as const).flatMap((name): [string, string][] =>
    data[name] === undefined ? [] : [[name, JSON.stringify(data[name])]],
  )
  return { ...state, identity }
}

function chunk(before: OpenaiSpliceState, data: JsonObject, event: SseEvent): SpliceStep {
  const choice = firstChoice(data)
  const { delta } = choice
  const role = isJsonObject(delta) && typeof delta['role'] === 'string'
  const spliced = spliceCalls(before.calls, delta, before.hiddenTools)
  const state = { ...before, calls: spliced.calls, hasRole: before.hasRole || role }
  const changes: ChunkChanges = {
    ...(state.round === 0 ? {} : { identity: state.identity, dropsRole: before.hasRole }),
    ...(spliced.changed ? { toolCalls: spliced.deltas } : {}),
  }
  const finishes = typeof choice['finish_reason'] === 'string'
  const firstRole = role && !before.hasRole
  if (state.held || (finishes && mustContinue(state))) {
    return hold(state, data, { event: changeChunk(event, changes), firstRole })
  }
  const isChanged = spliced.changed || state.round > 0
  const tells = finishes || isJsonObject(data['usage']) || hasOtherChoices(data) || firstRole
  if (isChanged && !tells && spliced.deltas.length === 0 && !deltaHasWords(delta)) return { state, forward: [] }
  return { state, forward: [changeChunk(event, changes)] }
}

/** The reply is read only where it may say so: a server may name a finish reason in every chunk. */
function mustContinue({ calls, inner, hiddenTools }: OpenaiSpliceState): boolean {
  return areOurs(calls) && callReasons.has(inner.finishReason) && endOf(replyOf(inner), hiddenTools).mustContinue
}

function hasOtherChoices(data: JsonObject): boolean {
  const choices: readonly JsonValue[] = Array.isArray(data['choices']) ? data['choices'] : []
  return choices.length === 0 || choices.some((choice) => isJsonObject(choice) && (choice['index'] ?? 0) !== 0)
}

/** Keeps what ends the stream; words that stand in the same chunk go out without it. */
function hold(
  state: OpenaiSpliceState,
  data: JsonObject,
  { event, firstRole }: { readonly event: SseEvent; readonly firstRole: boolean },
): SpliceStep {
  const choice = firstChoice(data)
  const finishes = typeof choice['finish_reason'] === 'string'
  const held: OpenaiSpliceState = {
    ...state,
    held: true,
    ...(finishes ? { heldFinish: changeChunk(event, { delta: '{}' }), heldUsage: undefined } : {}),
    ...(!finishes && isJsonObject(data['usage']) ? { heldUsage: event } : {}),
  }
  const words = changeChunk(event, { finishReason: 'null', ...(isJsonObject(data['usage']) ? { usage: 'null' } : {}) })
  return { state: held, forward: firstRole || deltaHasWords(choice['delta']) ? [words] : [] }
}

function close(state: OpenaiSpliceState): SpliceStep {
  return state.inner.ended ? { state, forward: [] } : ended(state, [])
}

function resume(state: OpenaiSpliceState): OpenaiSpliceState {
  return {
    ...state,
    inner: initialState,
    round: state.round + 1,
    // A stream that is continued has no visible calls.
    calls: noCalls,
    held: false,
  }
}

function finish({ heldFinish, heldUsage, identity }: OpenaiSpliceState): readonly SseEvent[] {
  if (heldFinish === undefined) return []
  return [
    changeChunk(heldFinish, { identity, finishReason: '"stop"' }),
    ...(heldUsage === undefined ? [] : [changeChunk(heldUsage, { identity })]),
    { data: '[DONE]' },
  ]
}
