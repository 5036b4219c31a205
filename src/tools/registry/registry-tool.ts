import type { JsonValue, ToolLevel } from '../../core/index.ts'

/** How a call reaches the tool. A `native` tool is run by the client or the provider, not here. */
export const toolProtocols = ['native', 'mcp', 'http', 'jsonrpc', 'grpc', 'local'] as const
export type ToolProtocol = (typeof toolProtocols)[number]

/** How long a call may take; the configuration has the milliseconds of each class. */
export const toolTimeouts = ['fast', 'medium', 'slow'] as const
export type ToolTimeout = (typeof toolTimeouts)[number]

export const toolMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** An address that runs a tool. */
export interface HttpBinding {
  /** `{name}` in it stands for an argument; the other arguments go into the query of a GET or DELETE, else into the body. */
  readonly url: string
  readonly method?: (typeof toolMethods)[number]
  readonly headers?: Readonly<Record<string, string>>
}

/** An error that a tool is known to answer with. */
export interface KnownToolError {
  readonly code: string
  readonly message?: string
  readonly retryable?: boolean
}

/** A tool as a file or a request states it. */
export interface ToolEntry {
  readonly description: string
  /** The JSON Schema of its arguments. Default: no arguments are known, all are accepted. */
  readonly inputSchema?: JsonValue
  readonly outputSchema?: JsonValue
  readonly errors?: readonly KnownToolError[]
  /** `core`: always offered. `protocol` (the default): found by search. `complex`: called from code only, never shown as a schema. */
  readonly level?: ToolLevel
  /** One line of at most 100 characters. Default: the first sentence of the description. */
  readonly purpose?: string
  /** What a caller must be allowed to do, all of them. Default: nothing. */
  readonly scopes?: readonly string[]
  /** Default: `medium`. */
  readonly timeout?: ToolTimeout
  /** Requests that the tool is right for, in words. */
  readonly examples?: readonly string[]
  readonly categories?: readonly string[]
  /** Whether a second call with the same arguments changes nothing more. Only such calls are tried again. */
  readonly idempotent?: boolean
  /** Where it runs. A tool without it is described here and run by the client. */
  readonly http?: HttpBinding
}

/** What a source says of one tool. */
export interface SourcedTool extends ToolEntry {
  /** As the source calls it. */
  readonly name: string
}

/** A tool of a registry, with every default applied. */
export interface RegistryTool extends Required<Omit<ToolEntry, 'outputSchema' | 'errors' | 'http'>> {
  /** `server::name`. Stable. */
  readonly id: string
  readonly server: string
  /** As its server calls it. */
  readonly name: string
  /** As models call it: letters, digits, `_` and `-`, and no other tool of the registry has it. Stable. */
  readonly calledAs: string
  readonly protocol: ToolProtocol
  readonly outputSchema?: JsonValue
  readonly errors?: readonly KnownToolError[]
  readonly http?: HttpBinding
  /** What was wrong with the definition and was left out. */
  readonly warnings: readonly string[]
}
