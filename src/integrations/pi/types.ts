import type { JsonObject } from '../../core/index.ts'

/** What of pi's own types is used here: whoever uses the extension has them, and pi is no package of ours. */
export interface Text {
  readonly type: 'text'
  readonly text: string
  readonly textSignature?: string
}

export interface Thinking {
  readonly type: 'thinking'
  readonly thinking: string
  readonly thinkingSignature?: string
}

export interface Image {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}

export interface Call {
  readonly type: 'toolCall'
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
  readonly thoughtSignature?: string
}

export type Said = Text | Thinking | Call
export type Part = Said | Image

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: object
}

/** Prompt and tools are what all of these add up to, in their order. */
export interface SystemMessage {
  readonly role: 'system'
  readonly content: string | readonly Text[]
  readonly sections?: Readonly<Record<string, string | null>>
  readonly toolsAdded?: readonly Tool[]
  readonly toolsRemoved?: readonly { readonly name: string }[]
  readonly timestamp: number
}

export interface UserMessage {
  readonly role: 'user'
  readonly content: string | readonly (Text | Image)[]
}

export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly Said[]
  readonly usage: Usage
  readonly stopReason: string
}

export interface ToolResultMessage {
  readonly role: 'toolResult'
  readonly toolCallId: string
  readonly toolName: string
  readonly content: readonly (Text | Image)[]
  readonly isError: boolean
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage

export interface Transcript {
  readonly messages: readonly Message[]
}

export interface Model {
  readonly id: string
  readonly api: string
  readonly provider: string
}

export interface StreamOptions {
  readonly maxTokens?: number
  readonly toolChoice?: unknown
}

export type PieceEvent = {
  readonly type: `${'text' | 'thinking' | 'toolcall'}_${'start' | 'delta' | 'end'}`
  readonly contentIndex: number
  readonly partial: AssistantMessage
}

export type StreamEvent =
  | { readonly type: 'start'; readonly partial: AssistantMessage }
  | PieceEvent
  | { readonly type: 'done'; readonly reason: string; readonly message: AssistantMessage }
  | { readonly type: 'error'; readonly reason: string; readonly error: AssistantMessage }

export interface EventStream extends AsyncIterable<StreamEvent> {
  result(): Promise<AssistantMessage>
}

export interface Provider {
  readonly id: string
  stream(model: Model, context: Transcript, options?: StreamOptions): EventStream
  streamSimple(model: Model, context: Transcript, options?: StreamOptions): EventStream
}

export interface ExtensionContext {
  readonly model: { readonly provider: string } | undefined
  readonly modelRegistry: { getProvider(id: string): Provider | undefined }
}

type Handler = (event: object, context: ExtensionContext) => void

/** What of pi's interface for extensions is used here. */
export interface ExtensionApi {
  on(event: 'session_start', handler: Handler): unknown
  on(event: 'model_select', handler: Handler): unknown
  registerProvider(provider: Provider): void
}

/** What a part of a call came from. */
export type From =
  | { readonly kind: 'message'; readonly message: Message; readonly part?: Part }
  | { readonly kind: 'tool'; readonly tool: Tool }
