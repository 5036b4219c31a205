import type { ToolCall, Usage } from '../core/index.ts'
import type { SseEvent } from './sse.ts'

/** What is to be said to a client without a model. */
export interface Answer {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly toolCalls?: readonly ToolCall[]
  /** Nothing was used unless told. */
  readonly usage?: Usage
  readonly createdMs: number
}

/** An answer in the words of a dialect, as a whole and as a stream. */
export interface WrittenAnswer {
  readonly body: string
  readonly events: readonly SseEvent[]
}
