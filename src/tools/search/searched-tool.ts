import type { JsonValue } from '../../core/index.ts'
import type { ToolMeanings } from './meanings.ts'

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
  /** The server that has it, e.g. of MCP. Hits of a server lift its other tools a little. */
  readonly server?: string
  /** What the server says about itself. */
  readonly serverDescription?: string
}

/** A tool that a search has found. */
export interface FoundTool {
  readonly id: string
  /** Above 0: how well it fits, times its quality. What a ranking goes by. */
  readonly score: number
  /**
   * How well it fits, whatever its quality. Comparable within one catalogue: at 1 a query and a tool share about as much as one word that no other
   * tool has; small talk mostly stays below 0.5.
   */
  readonly fit: number
}

export interface ToolSearch {
  /** Default: 20. */
  readonly limit?: number
  /** A factor on the score of a tool, 1 where nothing is known of it. */
  readonly quality?: (id: string) => number
  /** The query by the embedder that made `meanings`; without it, words alone decide. */
  readonly vector?: ArrayLike<number>
  /** What tools mean, in place of what the index was made with: an index of words stays as it is when vectors come later. */
  readonly meanings?: ToolMeanings
}

/** Ways of finding that can be left out, to measure what each is worth. */
export type ToolSearchPart = 'related-words' | 'name-grams' | 'servers' | 'clauses' | 'words'

export interface ToolIndexOptions {
  /** What tools mean, by an embedder of the host. */
  readonly meanings?: ToolMeanings
  readonly without?: readonly ToolSearchPart[]
}

/** A catalogue that can be searched. */
export interface ToolIndex {
  readonly size: number
  /** The tools that fit a query best, the best first; of equal ones by id. None where nothing fits. */
  search(query: string, options?: ToolSearch): readonly FoundTool[]
}
