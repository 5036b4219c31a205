import type { JsonValue } from '../../../core/index.ts'

/** `own`: a tool that its tenant has put. `pin`: what is remembered of a tool of a source. */
export const toolRecordKinds = ['own', 'pin'] as const
export type ToolRecordKind = (typeof toolRecordKinds)[number]

/** What a registry of tools keeps of one tool. */
export interface ToolRecord {
  /** `server::name`. */
  readonly id: string
  readonly kind: ToolRecordKind
  readonly value: JsonValue
  /** Milliseconds since the epoch. */
  readonly writtenMs: number
}

/** One call of a tool, as it ended. It holds neither arguments nor results. */
export interface ToolCallRecord {
  /** Tells it from all other calls of the tenant. */
  readonly id: string
  /** The tool's id. */
  readonly tool: string
  /** `ok`, or the code of the error. */
  readonly outcome: string
  readonly tookMs: number
  /** Tokens of the result. */
  readonly tokens: number
  readonly atMs: number
  readonly session?: string
  readonly requestId?: string
}

/** What became of a tool so far. */
export interface ToolUsage {
  /** Requests that offered it. */
  readonly offered: number
  readonly called: number
  /** Calls that ended in an error. */
  readonly failed: number
  /** Tokens of all its results. */
  readonly tokens: number
}

/**
 * Writes of the unit's tenant.
 * - `put`: states a tool, in place of what stands.
 * - `drop`: forgets it; what was counted of it stays.
 * - `call`: notes a call and counts it. The same id again changes nothing.
 * - `offered`: counts that a request offered these tools.
 */
export type ToolWrite =
  | { readonly put: string; readonly kind: ToolRecordKind; readonly value: JsonValue }
  | { readonly drop: string }
  | { readonly call: Omit<ToolCallRecord, 'atMs'> }
  | { readonly offered: readonly string[] }

export interface ToolCallQuery {
  readonly tenant: string
  /** Of this tool alone; of all by default. */
  readonly tool?: string
  readonly limit: number
}

export interface ToolReads {
  get(tenant: string, id: string): ToolRecord | undefined
  /** Those of a kind, by id. */
  list(tenant: string, kind: ToolRecordKind): readonly ToolRecord[]
  /** By the tool's id; tools that were neither offered nor called are left out. */
  usage(tenant: string): Readonly<Record<string, ToolUsage>>
  /** The newest first. */
  calls(query: ToolCallQuery): readonly ToolCallRecord[]
}

export interface ToolTypes {
  readonly write: ToolWrite
  readonly reads: ToolReads
}
