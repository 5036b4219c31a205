import type { Shown } from '../shown.ts'
import { leftOut } from '../solvers/choose-rungs.ts'

export interface HistoryProblem {
  /** How many items the conversation has, oldest first. */
  readonly length: number
  readonly budgetTokens: number
  groupOf(index: number): string | undefined
  /** Whether the item stands in full whatever happens; then its whole group does. */
  isPinned(index: number): boolean
  /** The ways to show an item, dearest first. */
  forms(index: number): readonly Shown[]
}

/**
 * The newest part of a conversation whole, what lies before it in its shortest form while that fits, the oldest part not
 * at all (P-010, P-017, A-031, A-045): the index of the form per item, `leftOut` where it is not shown. What is shown has
 * no gaps, save for what is pinned; calls and their results move as one. Only what is shown is looked at.
 */
export function compressHistory(problem: HistoryProblem): Int32Array {
  const { length, forms } = problem
  const chosen = new Int32Array(length).fill(leftOut)
  let left = problem.budgetTokens
  const take = (members: readonly number[], form: (forms: readonly Shown[]) => number): boolean => {
    let price = 0
    for (const index of members) price += forms(index)[form(forms(index))]?.tokens ?? 0
    if (price > left) return false
    for (const index of members) chosen[index] = form(forms(index))
    left -= price
    return true
  }
  const groups = groupsOf(problem)
  for (let index = 0; index < length; index += 1) if (problem.isPinned(index)) take([index], fullForm)
  let whole = true
  for (let index = length - 1; index >= 0; index -= 1) {
    if (chosen[index] !== leftOut) continue
    const members = groups.get(problem.groupOf(index) ?? '') ?? [index]
    if (whole && take(members, keptForm)) continue
    whole = false
    if (!take(members, shortestForm)) break
  }
  return chosen
}

function fullForm(): number {
  return 0
}

/** The cheapest form that loses nothing. */
function keptForm(forms: readonly Shown[]): number {
  const lossy = forms.findIndex(({ rendition }) => rendition.fidelity < 1)
  return (lossy === -1 ? forms.length : lossy) - 1
}

function shortestForm(forms: readonly Shown[]): number {
  return forms.length - 1
}

function groupsOf({ length, groupOf }: HistoryProblem): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (let index = 0; index < length; index += 1) {
    const group = groupOf(index)
    if (group === undefined) continue
    const members = groups.get(group)
    if (members === undefined) groups.set(group, [index])
    else members.push(index)
  }
  return groups
}
