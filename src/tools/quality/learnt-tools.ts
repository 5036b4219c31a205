import type { ToolUse } from './tool-use.ts'
import { qualityOf } from './tool-use.ts'

/** How the conversations of a tenant have used a tool. */
export interface LearntTool extends Pick<ToolUse, 'offered' | 'called' | 'failed' | 'queries'> {
  /** Conversations that had the tool, and those of them that called it. */
  readonly sessions: number
  readonly calledIn: number
}

/** What is learnt of a tenant's tools, by name. A value: nobody changes it. */
export interface LearntTools {
  readonly uses: ReadonlyMap<string, LearntTool>
  /** Past queries as searches go by them. The same object as long as they are the same, since an index is remembered by it. */
  readonly past: ReadonlyMap<string, readonly string[]>
}

export const nothingLearnt: LearntTools = { uses: new Map(), past: new Map() }

/** The factor of each tool on its score in a search. */
export function qualityBy({ uses }: LearntTools): (name: string) => number {
  return (name) => {
    const use = uses.get(name)
    return use === undefined ? 1 : qualityOf(use)
  }
}

/** Earlier conversations that are needed before one that begins goes by them. */
const fewestSessions = 2

/** Whether at least half of the conversations that had a tool have called it. */
export function isHabitual({ uses }: LearntTools, name: string): boolean {
  const { sessions = 0, calledIn = 0 } = uses.get(name) ?? {}
  return sessions >= fewestSessions && calledIn * 2 >= sessions
}
