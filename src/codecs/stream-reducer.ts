import type { ModelReply } from '../core/index.ts'
import type { SseEvent } from './sse.ts'

/** Folds a stream into a reply. Pure: states are values and are never changed. Never throws. */
export interface StreamReducer {
  readonly initial: StreamState
  /** Takes the next event of a stream. */
  step(state: StreamState, event: SseEvent): StreamState
  /** Folds only what was used and whether the reply is whole: what it keeps does not grow with what is said. */
  skim(state: StreamState, event: SseEvent): StreamState
  /** The reply so far; `failure` says when it is not whole, however the connection ended. */
  reply(state: StreamState): ModelReply
}

/** State of a reducer; only `ended` is for others to read. */
export interface StreamState {
  /** The last event, or an error event, has been seen. A reply may be whole without: ask it for `failure`. */
  readonly ended: boolean
}

/** A reducer over states of its own: nobody else can make one. */
export function reducerOf<State extends StreamState>(parts: {
  readonly initial: State
  step(state: State, event: SseEvent): State
  skim(state: State, event: SseEvent): State
  reply(state: State): ModelReply
}): StreamReducer {
  return {
    initial: parts.initial,
    step: (state, event) => parts.step(state as State, event),
    skim: (state, event) => parts.skim(state as State, event),
    reply: (state) => parts.reply(state as State),
  }
}
