/** How a tenant's conversations have used one of its clients' tools, by the tool's name. */
export interface ToolUseCounts {
  readonly name: string
  /** Messages of users for which a request defined the tool and a search found it among the first 20. */
  readonly offered: number
  /** Messages of users after which it was called and gave a result. */
  readonly called: number
  /** Calls that failed. */
  readonly failed: number
  /** Conversations that had the tool, and those of them that called it. Older conversations count less. */
  readonly sessions: number
  readonly calledIn: number
}

export interface ToolUseRow extends ToolUseCounts {
  /** What was asked for before it was called, the newest first: text of users. */
  readonly queries: readonly string[]
}

/** Counts that are added to those of the tool. */
export interface ToolUseChange extends ToolUseCounts {
  /** Take the place of the queries that stand; these stay where absent. */
  readonly queries?: readonly string[]
}

export interface ToolUsesWrite {
  readonly uses: readonly ToolUseChange[]
}

export interface ToolUsesReads {
  /** A tenant's tools by name; of very many those that were used last. */
  all(tenant: string): readonly ToolUseRow[]
}

export interface ToolUsesTypes {
  readonly write: ToolUsesWrite
  readonly reads: ToolUsesReads
}

/** Where a tool has been in so many conversations, their counts are halved before the next one is added: habits change. */
export const halvedAt = 32

/** Tools that a read gives at most. */
export const mostRead = 1000

/** Columns of a row, in the order of `toolUseCells`. */
export const toolUseColumns = [
  'name',
  'offered',
  'called',
  'failed',
  'sessions',
  'called_in',
  'queries',
  'written_ms',
] as const

type Columns = Readonly<Record<string, unknown>>

/** A row, by the names of its columns. */
export function toolUseIn({
  name,
  offered,
  called,
  failed,
  sessions,
  called_in: calledIn,
  queries,
}: Columns): ToolUseRow {
  return {
    name: String(name),
    offered: Number(offered),
    called: Number(called),
    failed: Number(failed),
    sessions: Number(sessions),
    calledIn: Number(calledIn),
    queries: typeof queries === 'string' ? (JSON.parse(queries) as readonly string[]) : [],
  }
}
