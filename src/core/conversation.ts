import type { ProviderEditing } from './provider-editing.ts'
import type { Item, Role } from './item.ts'
import type { JsonValue } from './json.ts'

/** One message of a conversation, by the items that stand in it. */
export interface Message {
  /** `m0`, `m1`, … in wire order; a top-level system prompt is `system`. */
  readonly id: string
  readonly role: Role
  readonly name?: string
  readonly itemIds: readonly string[]
}

/** A tool as a request defines it for the model. */
export interface ToolDefinition {
  readonly name: string
  /** The namespace that it belongs to, in dialects that call a tool by two names. */
  readonly namespace?: string
  readonly description: string
  /** The JSON Schema of the tool's input. */
  readonly schema: JsonValue
}

/** A tool that takes a text as it is, and no JSON. */
export interface TextTool {
  readonly name: string
  readonly description: string
  /** What the text has to follow; the provider holds the model to it. */
  readonly grammar?: { readonly syntax: string; readonly definition: string }
}

/** Whether the model may, must or must not call tools, or which one it has to call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** What the reply has to be: any JSON, or JSON of a schema. */
export type ResponseFormat = 'json' | { readonly name?: string; readonly schema: JsonValue; readonly strict?: boolean }

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
/** How much a model is to think before it answers, from nothing on. */
export type Effort = (typeof efforts)[number]

export function isEffort(value: unknown): value is Effort {
  return efforts.some((effort) => effort === value)
}

/** What is asked of a model's reasoning. */
export interface ReasoningWish {
  /** `auto`: as the model sees fit. */
  readonly effort: Effort | 'auto'
  /** Where it was said as tokens. */
  readonly tokens?: number
}

/** How the model is to write, in words of no dialect. What a dialect says beyond these stays on its wire. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
  readonly responseFormat?: ResponseFormat
  readonly reasoning?: ReasoningWish
}

/**
 * What a request says, whatever dialect it came in. `items` stand in the order in which the provider renders them: tools
 * first, then system, then messages.
 */
export interface Conversation {
  readonly model: string
  /** All that may answer, in the order in which the provider asks them, where it is to ask others too; `model` is one of them. */
  readonly models?: readonly string[]
  readonly stream: boolean
  readonly maxOutputTokens?: number
  readonly messages: readonly Message[]
  readonly items: readonly Item[]
  /** Tools of the client's that have a schema; those that the provider runs are items only. */
  readonly tools: readonly ToolDefinition[]
  /** Those of the client's that take a text. */
  readonly textTools?: readonly TextTool[]
  readonly sampling: Sampling
  /** What the provider is asked to do to it by itself. */
  readonly editing?: ProviderEditing
}
