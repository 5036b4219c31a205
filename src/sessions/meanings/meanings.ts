import type { TextEmbedder } from '../../knowledge/index.ts'
import type { QueryMeaning } from '../../tools/index.ts'

/** A tool as an embedder reads it; searches know it by its id, or by its name where it has none. */
export interface EmbeddedTool {
  readonly id?: string
  readonly name: string
  readonly description: string
}

/** Tools, and the words that one of them is looked for with. */
export interface MeaningAsked {
  readonly query: string
  readonly tools: readonly EmbeddedTool[]
}

/** What made the vector of a tool. */
export interface ToolEmbedding {
  readonly model: string
  readonly dimensions: number
}

/** Vectors of tools and of queries, by tenant. Nothing here rejects: what has no vector is found by words. */
export interface Meanings {
  /** Both as vectors. Undefined at once where a tool has no vector yet, which is then made in the background; undefined where the query has none in time. */
  of(tenant: string, asked: MeaningAsked): Promise<QueryMeaning | undefined>
  /** Has vectors made in the background for tools that have none. */
  prepare(tenant: string, tools: readonly EmbeddedTool[]): void
  /** What made the vector of a tool; waits for it as long as a query may wait. Undefined where it has none by then. */
  embedding(tenant: string, tool: EmbeddedTool): Promise<ToolEmbedding | undefined>
  /** Lets go of what is held of a tenant. */
  forget(tenant: string): void
  /** Lets go of everything, and tells nobody of what is still under way. */
  close(): void
}

/** What makes vectors for a tenant. */
export interface TenantEmbedder {
  readonly embedder: TextEmbedder
  /** Tells its vectors from those of others. */
  readonly model: string
  /** Whether vectors of tools are kept in the store, beside this process. */
  readonly keeps: boolean
}

/** What became of a text that a vector was wanted for. */
export type MeaningResult = 'made' | 'kept' | 'missing' | 'late' | 'failed' | 'paused'

/** Told of what a host may want to log and count. */
export interface MeaningWatch {
  counted(of: 'tool' | 'query', result: MeaningResult, count: number): void
  /** Vectors cannot be made for a tenant; told once until they can again. */
  failed(tenant: string, error: unknown): void
  /** They can again. */
  back(tenant: string): void
}
