import type { MediaContent } from './media.ts'
import type { Usage } from './usage.ts'

/** One finished call of a tool, as the model wrote it. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text of the arguments, as it came. */
  readonly arguments: string
}

/** A reply, decoded from JSON or folded from a stream. */
export interface ModelReply {
  readonly id?: string
  readonly model?: string
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly stopReason?: string
  readonly usage?: Usage
  /** The raw assistant message, as it must be sent back in the next request of this dialect. */
  readonly message?: string
  /** Why the reply is not whole: an error event, or a stream that ended before its end (`truncated`). */
  readonly failure?: { readonly type: string; readonly message: string }
}

/** What a tool answered to one call. */
export interface ToolResult {
  readonly callId: string
  readonly text: string
  readonly isError?: boolean
  /** Shown beside the text, where the dialect can. */
  readonly media?: MediaContent
  /** Tools whose deferred definitions the provider is to show in place of the text, by name. */
  readonly toolReferences?: readonly string[]
}
