import { compareCodeUnits } from '../../core/index.ts'

/** What a session was offered for nothing. */
export interface ToolWaste {
  /** Tools that were offered and have not been called so far, by id. */
  readonly wastedTools: readonly string[]
  /** Their share of the offered ones; 0 where none is offered. */
  readonly wasteRatio: number
}

export function toolWaste(offered: Iterable<string>, called: Iterable<string>): ToolWaste {
  const all = new Set(offered)
  const used = new Set(called)
  const wastedTools = [...all].filter((id) => !used.has(id)).toSorted(compareCodeUnits)
  return { wastedTools, wasteRatio: all.size === 0 ? 0 : wastedTools.length / all.size }
}
