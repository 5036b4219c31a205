import type { ShownLadder } from '../shown-form.ts'
import { leftOut } from '../solvers/choose-rungs.ts'

export interface HistoryProblem {
  /** Per item, oldest first: 1 where it stands in full whatever happens; then its whole group does. */
  readonly pinned: Uint8Array
  readonly budgetTokens: number
  /** Absent where no item has one. */
  readonly groupOf?: (index: number) => string | undefined
  ladder(index: number): ShownLadder | undefined
}

/**
 * The newest part of a conversation whole, what lies before it in its shortest form while that fits, the oldest part not
 * at all (P-010, P-017, A-031, A-045): the index of the form per item, `leftOut` where it is not shown. What is shown has
 * no gaps, save for what is pinned; calls and their results move as one. Only what is shown is looked at.
 */
export function compressHistory(problem: HistoryProblem): Int32Array {
  const { pinned, ladder } = problem
  const chosen = new Int32Array(pinned.length).fill(leftOut)
  let left = problem.budgetTokens
  const price = (index: number, form: number): number => ladder(index)?.shown[form]?.tokens ?? 0
  for (let index = pinned.indexOf(1); index !== -1; index = pinned.indexOf(1, index + 1)) {
    chosen[index] = 0
    left -= price(index, 0)
  }
  const groups = groupsOf(problem)
  let whole = true
  for (let index = pinned.length - 1; index >= 0; index -= 1) {
    if (chosen[index] !== leftOut) continue
    const members = groups?.get(problem.groupOf?.(index) ?? '')
    const costOf = (form: Form): number =>
      members === undefined
        ? price(index, form(ladder(index)))
        : members.reduce((sum, member) => sum + price(member, form(ladder(member))), 0)
    let cost = whole ? costOf(keptForm) : Infinity
    if (cost > left) {
      whole = false
      cost = costOf(shortestForm)
      if (cost > left) break
    }
    const form = whole ? keptForm : shortestForm
    if (members === undefined) chosen[index] = form(ladder(index))
    else for (const member of members) chosen[member] = form(ladder(member))
    left -= cost
  }
  return chosen
}

type Form = (ladder: ShownLadder | undefined) => number

function keptForm(ladder: ShownLadder | undefined): number {
  return ladder?.lossless ?? 0
}

function shortestForm(ladder: ShownLadder | undefined): number {
  return (ladder?.shown.length ?? 1) - 1
}

function groupsOf({ pinned, groupOf }: HistoryProblem): ReadonlyMap<string, readonly number[]> | undefined {
  if (groupOf === undefined) return undefined
  const groups = new Map<string, number[]>()
  for (let index = 0; index < pinned.length; index += 1) {
    const group = groupOf(index)
    if (group === undefined) continue
    const members = groups.get(group)
    if (members === undefined) groups.set(group, [index])
    else members.push(index)
  }
  return groups
}
