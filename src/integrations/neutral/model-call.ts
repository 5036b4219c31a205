import type { JsonObject, JsonValue } from '../../core/index.ts'

/**
 * A call of a model in words of no framework. What a framework has of its own stays with the framework: each part names what
 * it came from, and what comes back unchanged is that very thing again.
 */
export interface ModelCall<From> {
  readonly model: string
  readonly maxOutputTokens?: number | undefined
  readonly tools: readonly CallTool<From>[]
  /** Whether the model may use any of them, or none. */
  readonly choosesFreely: boolean
  readonly messages: readonly CallMessage<From>[]
}

export interface CallTool<From> {
  readonly name: string
  readonly description?: string | undefined
  /** Absent for a tool that the provider runs. */
  readonly schema?: JsonValue | undefined
  readonly isMarked?: boolean
  readonly from?: From
}

export interface CallMessage<From> {
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly CallPart<From>[]
  /** Whether the provider holds the parts to the bytes that it wrote: then none of them may be shortened. */
  readonly isBound?: boolean
}

export type CallPart<From> = (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | ResultPart<From>
  | { readonly type: 'media'; readonly kind: 'image' | 'document'; readonly source: JsonObject }
  | { readonly type: 'other'; readonly says: JsonValue }
) & {
  /** What stands here in the framework's words; absent where it is of our making. */
  readonly from?: From
  /** The caller has marked it for the provider's cache. */
  readonly isMarked?: boolean
}

export interface ResultPart<From> {
  readonly type: 'result'
  readonly callId: string
  readonly isError: boolean
  readonly content: string | readonly CallPart<From>[]
}

/** A part as it is to be sent. */
export interface ShownPart<From> {
  readonly part: CallPart<From>
  readonly isChanged: boolean
  /** To be marked for the provider's cache, and for how long. */
  readonly cacheTtl?: '5m' | '1h'
  /** What a framework kept of it when it was a reply, where it stands here because of us. */
  readonly own?: JsonValue
}

export interface ShownMessage<From> {
  readonly role: CallMessage<From>['role']
  readonly parts: readonly ShownPart<From>[]
}

export interface ShownTool<From> {
  readonly tool: CallTool<From>
  readonly isChanged: boolean
  readonly cacheTtl?: '5m' | '1h'
}

/** A call as it is to be sent. */
export interface ShownCall<From> {
  readonly tools: readonly ShownTool<From>[]
  readonly messages: readonly ShownMessage<From>[]
}

/** A reply in words of no framework. */
export interface ModelReply<From> {
  readonly parts: readonly ReplyPart<From>[]
  readonly stop: 'calls' | 'end' | 'length' | 'other'
  readonly usage?: ReplyUsage | undefined
}

export type ReplyPart<From> = (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'other' }
) & {
  readonly from: From
  /** What the framework needs to send it again; only of parts that may stand beside hidden calls. */
  readonly own?: JsonValue | undefined
}

export interface ReplyUsage {
  /** All of them, those from the cache included. */
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
}

/** A part of a reply as the caller should see it. */
export interface AnsweredPart<From> {
  readonly from: From
  /** The input of a call into which the model had copied a marker of ours, written out. */
  readonly input?: JsonObject
}
