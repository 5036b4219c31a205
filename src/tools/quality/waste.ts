import { compareCodeUnits } from '../../core/index.ts'

/** What a session was offered for nothing (C-020). */
export interface ToolWaste {
  /** Tools that were offered and have not been called so far, by id. */
  readonly wastedTools: readonly string[]
  /** Their share of the offered ones; 0 where none is offered. */
  readonly wasteRatio: number
}

export function toolWaste(offered: Iterable<string>, called: Iterable<string>): ToolWaste {
  const all = new Set(offered)
  const wasted = all.difference(new Set(called))
  return {
    wastedTools: [...wasted].toSorted(compareCodeUnits),
    wasteRatio: all.size === 0 ? 0 : wasted.size / all.size,
  }
}
