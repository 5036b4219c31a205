import type { JsonValue } from '../../core/index.ts'

/** The parts of a request that cost tokens beside its texts. */
export interface RequestShape {
  readonly messages: readonly MessageShape[]
  readonly tools?: readonly ToolShape[]
  /** Whether a tool, or one certain tool, must be called. */
  readonly toolChoice?: 'auto' | 'forced'
}

export interface MessageShape {
  readonly role: string
  readonly name?: string
  /** Calls that the message makes; their names and arguments are counted as text. */
  readonly toolCalls?: number
  /** Results that a message of another role than `tool` holds. */
  readonly toolResults?: number
}

export interface ToolShape {
  readonly name: string
  readonly description?: string
  /** The JSON Schema of the input. */
  readonly schema?: JsonValue
}

export interface RequestOverhead {
  readonly tokens: number
  /** What frames each message, in order. */
  readonly perMessage: readonly number[]
  /** What each tool definition costs in full, in order. */
  readonly perTool: readonly number[]
  /** Start and end of the prompt, and what the provider adds because there are tools. */
  readonly fixed: number
}
