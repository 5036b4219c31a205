import type { JsonObject } from '../../../core/index.ts'

/** A tool that a client offers, in whatever dialect. */
export interface OfferedTool {
  readonly name: string
  /** JSON Schemas of its parameters, by name. */
  readonly parameters: JsonObject
  /** The whole of them, in which references are looked up. */
  readonly schema?: JsonObject
  readonly required: readonly string[]
  /** Takes one text instead of parameters. */
  readonly takesText?: boolean
  /** Is called by code that this tool runs. */
  readonly via?: string
}
