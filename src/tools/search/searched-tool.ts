import type { JsonValue } from '../../core/index.ts'

/** What a tool is found by. */
export interface SearchedTool {
  /** Tells it from all others of the catalogue; the name where nothing else does. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** The JSON Schema of its input. */
  readonly schema: JsonValue
  readonly categories?: readonly string[]
  readonly examples?: readonly string[]
  /** What was asked for before it was called in earlier sessions. */
  readonly pastQueries?: readonly string[]
}

/** A tool that a search has found. */
export interface FoundTool {
  readonly id: string
  /** Above 0; comparable within one search. */
  readonly score: number
}

export interface ToolSearch {
  /** Default: 20. */
  readonly limit?: number
  /** A factor on the score of a tool, 1 where nothing is known of it. */
  readonly quality?: (id: string) => number
}

/** A catalogue that can be searched. */
export interface ToolIndex {
  readonly size: number
  /** The tools that fit a query best, the best first; of equal ones by id. None where nothing fits. */
  search(query: string, options?: ToolSearch): readonly FoundTool[]
}
