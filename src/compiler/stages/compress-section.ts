import type { ShownLadder } from '../shown.ts'
import { chooseRungs, leftOut } from '../solvers/choose-rungs.ts'

/** One candidate of a section. */
export interface SectionItem {
  readonly fullTokens: number
  readonly score: number
  readonly pinned: boolean
  readonly group?: string
  ladder(): ShownLadder
}

/**
 * The form of each item that is worth the most within the section's tokens, as an index into its ladder, -1 where it is
 * left out (P-024). What fits in full is not shortened.
 */
export function compressSection(items: readonly SectionItem[], budgetTokens: number): Int32Array {
  let demand = 0
  for (const { fullTokens } of items) demand += fullTokens
  if (demand <= budgetTokens) return new Int32Array(items.length)
  const ladders = items.map(({ ladder, score, pinned, group }) => ({
    ...ladder().options,
    weight: score,
    pinned,
    ...(group === undefined ? {} : { group }),
  }))
  const choice = chooseRungs({ ladders, budgetTokens })
  return choice.fits ? choice.chosen : choice.chosen.map((_, index) => (items[index]?.pinned === true ? 0 : leftOut))
}
