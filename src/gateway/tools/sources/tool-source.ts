import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { RegistryTool, SourcedTool, ToolProtocol } from '../../../tools/index.ts'

/** Whose call it is. */
export interface ToolCaller {
  readonly tenant: string
  readonly session?: string
}

/** One call, which the source ends when the signal is aborted. */
export interface SourceCall {
  readonly tool: RegistryTool
  /** They fit the schema of the tool. */
  readonly arguments: JsonObject
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly caller: ToolCaller
}

export interface SourceResult {
  readonly text: string
  /** The result as a value, where the tool gives one. */
  readonly structured?: JsonValue
}

/** Where tools come from. */
export interface ToolSource {
  readonly protocol: ToolProtocol
  /** All its tools. Rejects where it cannot tell them; whoever waits stops waiting when the signal is aborted. */
  list(signal: AbortSignal): Promise<readonly SourcedTool[]>
  /** Rejects with `ToolFailure`. What else it rejects with is taken for a failure of the source. */
  call(asked: SourceCall): Promise<SourceResult>
  /** Ends whatever it has begun. */
  close(): Promise<void>
}

export interface SourceWatch {
  /** Says that the list of tools is another by now. It may be called at any rate. */
  changed(): void
}
