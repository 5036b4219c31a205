import type { JsonObject, ModelReply, ReplyEvent, StopReason } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { StreamReducer, StreamState } from '../stream-reducer.ts'
import { optional } from '../optional.ts'
import { parseData } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import { inTurn, nothingOpen } from './in-turn.ts'
import type { InTurn } from './in-turn.ts'

/** Reads replies of one dialect into events of none. Pure: states are values. Never throws on what a stream says. */
export interface ReplyReader {
  /** What a whole reply says. Throws `upstream-broken` where it is none. */
  whole(body: string): readonly ReplyEvent[]
  readonly initial: ReadingState
  /** Takes the next event of a stream, and gives what it says. */
  step(state: ReadingState, event: SseEvent): ReadStep
  /** The connection has closed: what was not told yet. Nothing after `end` or `failed`. */
  close(state: ReadingState): readonly ReplyEvent[]
}

export interface ReadStep {
  readonly state: ReadingState
  readonly events: readonly ReplyEvent[]
}

/** State of a reader; only `ended` is for others to read. */
export interface ReadingState {
  /** The last event has been given. */
  readonly ended: boolean
}

/** What a reader has to know of a dialect. How a reply ends it learns from the dialect's reducer. */
export interface ReplyWords<Words = undefined> {
  readonly reducer: StreamReducer
  decodeReply(body: string): ModelReply
  /** What is to be known of the events before one to read it. */
  readonly before: Words
  /** What one event says. A call's beginning may be told often; the first time counts. */
  inEvent(data: JsonObject, before: Words): { readonly events: readonly ReplyEvent[]; readonly before: Words }
  /** What is left of `before` when nothing more comes. */
  rest?(before: Words): readonly ReplyEvent[]
  /** What a whole reply says, in order, but for how it ended. */
  inBody(body: string): readonly ReplyEvent[]
  /** A reason that is not known is an end in order. */
  readonly reasons: Readonly<Record<string, StopReason>>
  /** Reasons to stop with which the reply has failed, and is to be asked for again. */
  readonly failures?: ReadonlySet<string>
  /** At which words of the client's a reply stopped. */
  stopSequenceIn?(data: JsonObject): string | undefined
}

interface Reading<Words> extends ReadingState {
  readonly reduced: StreamState
  readonly words: Words
  readonly hasBegun: boolean
  readonly calls: ReadonlySet<number>
  readonly order: InTurn
  readonly stopSequence?: string
}

export function replyReader<Words>(words: ReplyWords<Words>): ReplyReader {
  const { reducer } = words
  // States come from this reader only.
  const own = (state: ReadingState): Reading<Words> => state as Reading<Words>
  const ending = (state: Reading<Words>, reply: ModelReply): readonly ReplyEvent[] => {
    const rest = words.rest?.(state.words) ?? []
    const { stopSequence } = state
    return [...rest, endOf(words, { reply, hasCalls: state.calls.size > 0, ...optional('stopSequence', stopSequence) })]
  }
  const initial: Reading<Words> = {
    ended: false,
    reduced: reducer.initial,
    words: words.before,
    hasBegun: false,
    calls: new Set(),
    order: nothingOpen,
  }
  return {
    whole(body) {
      const reply = words.decodeReply(body)
      if (reply.failure) return [{ kind: 'failed', failure: reply.failure }]
      const events = words.inBody(body)
      const data = parseData(body)
      const stopSequence = isJsonObject(data) ? words.stopSequenceIn?.(data) : undefined
      const hasCalls = reply.toolCalls.length > 0
      const end = endOf(words, { reply, hasCalls, ...optional('stopSequence', stopSequence) })
      return inTurn(nothingOpen, [...events, end]).events
    },
    initial,
    step(before, event) {
      const state = own(before)
      if (state.ended || event.comment !== undefined) return { state, events: [] }
      const reduced = reducer.skim(state.reduced, event)
      const data = parseData(event.data)
      let next: Reading<Words> = { ...state, reduced, ended: reduced.ended }
      let told: readonly ReplyEvent[] = []
      if (isJsonObject(data)) {
        const read = words.inEvent(data, state.words)
        const heard = onceEach(state, read.events)
        const stopSequence = words.stopSequenceIn?.(data)
        next = { ...next, ...heard.state, words: read.before, ...optional('stopSequence', stopSequence) }
        told = heard.events
      }
      if (reduced.ended) told = [...told, ...ending(next, reducer.reply(reduced))]
      const { state: order, events } = inTurn(state.order, told)
      return { state: { ...next, order }, events }
    },
    close(before) {
      const state = own(before)
      if (state.ended) return []
      return inTurn(state.order, ending(state, reducer.reply(state.reduced))).events
    },
  }
}

type Heard = Pick<Reading<unknown>, 'hasBegun' | 'calls'>

/** Beginnings are told once, and what belongs to a call only after it has begun. */
function onceEach(
  { hasBegun, calls }: Heard,
  events: readonly ReplyEvent[],
): { readonly state: Heard; readonly events: readonly ReplyEvent[] } {
  let [begun, known] = [hasBegun, calls]
  const told = events.filter((event) => {
    switch (event.kind) {
      case 'begin': {
        const isFirst = !begun
        begun = true
        return isFirst
      }
      case 'call': {
        const isNew = !known.has(event.call)
        if (isNew) known = new Set([...known, event.call])
        return isNew
      }
      case 'arguments':
      case 'call-end':
        return known.has(event.call)
      default:
        return true
    }
  })
  return { state: { hasBegun: begun, calls: known }, events: told }
}

interface Ending {
  readonly reply: ModelReply
  readonly hasCalls: boolean
  readonly stopSequence?: string
}

/** Some servers say of a reply that calls tools that it has just ended. */
function endOf(
  { reasons, failures }: Pick<ReplyWords, 'reasons' | 'failures'>,
  { reply, hasCalls, stopSequence }: Ending,
): ReplyEvent {
  const { failure, stopReason = '', usage } = reply
  if (failure) return { kind: 'failed', failure }
  if (failures?.has(stopReason) === true)
    return {
      kind: 'failed',
      failure: { type: 'server_error', message: `The model gave up its reply (${stopReason}).` },
    }
  const told = Object.hasOwn(reasons, stopReason) ? reasons[stopReason] : undefined
  const reason = told === undefined || told === 'end' ? (hasCalls ? 'tool-calls' : 'end') : told
  return { kind: 'end', reason, ...optional('stopSequence', stopSequence), ...optional('usage', usage) }
}
