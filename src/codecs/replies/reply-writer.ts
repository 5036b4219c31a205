import type { ReplyEvent, SaidReply } from '../../core/index.ts'
import type { SseEvent } from '../sse.ts'

/** What a reply says of itself beside its words. */
export interface ReplyFrame {
  readonly id: string
  readonly model: string
  /** When it was written, in milliseconds since the epoch. */
  readonly createdMs: number
  /** Tokens of the request by our own count, for dialects whose streams begin with them: a stream of another dialect tells them at its end. */
  readonly countInput?: () => number
  /** Whether a stream tells what was used, where clients have to ask for that; it does by default. */
  readonly tellsUsage?: boolean
}

/** Writes replies in a dialect, whole or event by event. Pure: states are values. Takes events as `ReplyReader` gives them. */
export interface ReplyWriter {
  /** Writes the body of a reply that is not streamed. */
  whole(said: SaidReply, frame: ReplyFrame): string
  /** The state before the first event of a stream. */
  begin(frame: ReplyFrame): WritingState
  /** A `failed` is not written: the outlet tells errors. */
  step(state: WritingState, event: ReplyEvent): WrittenStep
}

/** State of a writer. */
export interface WritingState {
  readonly frame: ReplyFrame
}

export interface WrittenStep {
  readonly state: WritingState
  readonly events: readonly SseEvent[]
}

/** A writer over its own states. */
export function replyWriter<State extends WritingState>(parts: {
  whole(said: SaidReply, frame: ReplyFrame): string
  begin(frame: ReplyFrame): State
  step(state: State, event: ReplyEvent): { readonly state: State; readonly events: readonly SseEvent[] }
}): ReplyWriter {
  // States come from these parts only.
  return { ...parts, step: (state, event) => parts.step(state as State, event) }
}
