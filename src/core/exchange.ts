import type { Item, Role } from './item.ts'
import type { Pack } from './pack.ts'
import type { JsonValue } from './json.ts'
import type { Usage } from './usage.ts'

export type Dialect = 'openai-chat' | 'anthropic-messages'

/** One message of a request, by the items that stand in it. */
export interface ExchangeMessage {
  /** `m0`, `m1`, … in wire order; a top-level system prompt is `system`. */
  readonly id: string
  readonly role: Role
  readonly name?: string
  readonly itemIds: readonly string[]
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** The JSON Schema of the tool's input. */
  readonly schema: JsonValue
}

/** The tool that brings back what a pack left out; its calls never reach the client (P-070). */
export const rehydrateToolName = 'rehydrate'

/** A prompt-cache marker that the caller placed; such markers win over ours. */
export interface CacheMarker {
  readonly itemId: string
  readonly ttlMs: number
}

/**
 * A request, decoded. `items` stand in wire order: tools first where the provider renders them first, then system,
 * then messages. Everything the codec does not know stays in `body` and comes out of `encode` as it went in.
 */
export interface Exchange {
  readonly dialect: Dialect
  readonly body: string
  readonly model: string
  readonly stream: boolean
  readonly maxOutputTokens?: number
  readonly messages: readonly ExchangeMessage[]
  readonly items: readonly Item[]
  readonly tools: readonly ToolDefinition[]
  readonly markers: readonly CacheMarker[]
  /** `prompt_cache_key` or what plays its part in the dialect. */
  readonly cacheKey?: string
  /** The `prehend` (alias `bardo`) member of the body, if any; never forwarded. */
  readonly extension?: JsonValue
  /** Whether a tool may be added: tools are in use, none is forced, the format is known. */
  readonly acceptsTool: boolean
}

/** Messages that belong after the message `afterId` and that the client never saw: our own tool calls and results. */
export interface HiddenMessages {
  readonly afterId: string
  /** Raw JSON texts of whole messages in the dialect. */
  readonly messages: readonly string[]
}

/** What `encode` changes in a body; everything else is copied as it came. */
export interface EncodeOptions {
  readonly pack: Pack
  readonly addTool?: ToolDefinition
  readonly hidden?: readonly HiddenMessages[]
}

/** One finished call of a tool, as the model wrote it. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text of the arguments, as it came. */
  readonly arguments: string
}

/** A reply, decoded from JSON or folded from a stream. */
export interface Reply {
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
}

/** One upstream reply that called only our own tool, and what we answered; the client saw its text at most. */
export interface HiddenRound {
  /** Raw JSON of whole messages as they went upstream: the assistant's, then the results'. */
  readonly messages: readonly string[]
  /** The part of the client's message that they replace: leading blocks, and characters of text and of reasoning. */
  readonly visibleBlocks: number
  readonly visibleTextLength: number
  readonly visibleReasoningLength: number
}

/** A call of our own tool that stood beside the client's calls, at its place among the blocks or calls of the message. */
export interface HiddenCall {
  readonly at: number
  readonly raw: string
}

/** What one reply held that the client never saw. Plain data; with it a codec's `restore` puts everything back in place. */
export interface HiddenTurn {
  /** What the client saw, by which its message is found again. */
  readonly visibleText: string
  readonly visibleCallIds: readonly string[]
  readonly visibleBlocks: number
  /** Assistant messages before it in the client's conversation at the time. */
  readonly assistantIndex: number
  readonly rounds: readonly HiddenRound[]
  /** Calls of a last, mixed reply, and the raw results (blocks or messages) that answer them. */
  readonly calls: readonly HiddenCall[]
  readonly results: readonly string[]
}
