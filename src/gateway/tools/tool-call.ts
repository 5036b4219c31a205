import type { JsonValue } from '../../core/index.ts'
import type { ToolPermission } from './permits.ts'
import type { ToolError } from './sources/tool-failure.ts'

/** A call of a tool of the registry. */
export interface RegistryCall {
  /** By its id, or by the name that models call it by. */
  readonly tool: string
  /** JSON text of the arguments, as a model wrote them. */
  readonly arguments: string
}

/** On whose behalf a tool is called. */
export interface RegistryCallContext extends ToolPermission {
  readonly session?: string | undefined
  readonly requestId?: string | undefined
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}

export interface ToolSucceeded {
  readonly ok: true
  /** The id of the tool. */
  readonly tool: string
  readonly text: string
  readonly structured?: JsonValue
  /** Where the whole result is, when `text` is a summary of it. */
  readonly artifact?: string
  /** Of the result as it came. */
  readonly tokens: number
  readonly tookMs: number
}

export interface ToolFailed {
  readonly ok: false
  /** Absent where there is no such tool. */
  readonly tool?: string
  readonly error: ToolError
  readonly tookMs: number
}

export type RegistryAnswer = ToolSucceeded | ToolFailed
