import type { Dialect, JsonObject, JsonValue, ToolDefinition } from '../../../core/index.ts'

export interface AgentCall {
  /** Absent where the dialect has none. */
  readonly id?: string
  readonly name: string
  /** As the model wrote them; a text where that is no JSON. */
  readonly arguments: JsonValue
}

export interface CallResult {
  readonly call: AgentCall
  readonly text: string
  readonly isError: boolean
}

/** What an agent says before anything happens. */
export interface AgentTask {
  readonly model: string
  readonly instructions: string
  readonly tools: readonly ToolDefinition[]
  readonly maxOutputTokens: number
  /** Whether the provider is OpenAI itself, which calls some parameters otherwise than servers that speak its dialect. */
  readonly isOpenai: boolean
}

/** How an agent speaks to a provider: as the provider's own SDKs do, with everything that a reply holds sent back as it came. */
export interface AgentDialect {
  readonly dialect: Dialect
  readonly headers: Readonly<Record<string, string>>
  path(model: string): string
  body(task: AgentTask, entries: readonly JsonObject[]): JsonObject
  asked(prompt: string): JsonObject
  /** What of a reply goes into the conversation, and the calls in it; undefined where there is no reply in it. */
  heard(reply: JsonObject): { readonly entry: JsonObject; readonly calls: readonly AgentCall[] } | undefined
  answered(results: readonly CallResult[]): readonly JsonObject[]
}

export function parsedArguments(text: string): JsonValue {
  try {
    return JSON.parse(text === '' ? '{}' : text) as JsonValue
  } catch {
    return text
  }
}
