import type { FormLadder } from '../forms/form.ts'
import { exchangesSince, tailStart } from '../items/conversation-tail.ts'
import { leftOut } from '../solvers/choose-rungs.ts'

/** Where a conversation was cut: what stands from `whole` on is whole, from `short` on short, before it not shown. */
export interface HistoryCut {
  readonly short: number
  readonly whole: number
}

export interface HistoryProblem {
  /** Per item, oldest first: 1 where it stands in full whatever happens; then its whole group does. */
  readonly pinned: Uint8Array
  readonly budgetTokens: number
  /** The cut of the last request, which holds while it fits: what a provider has cached stays as it is. */
  readonly held?: HistoryCut | undefined
  /** Share of the budget that a new cut leaves in use, so that the next one is not due at once. */
  readonly cutShare: number
  /** The most turns that stand whole, the newest; a new cut leaves the same share of them in use. */
  readonly recentTurns?: number | undefined
  /** What older turns may take in their short forms. */
  readonly olderTokens?: number | undefined
  /** Where turns begin; asked only where turns are counted. */
  readonly starts?: () => readonly number[]
  /** Absent where no item has one. */
  readonly groupOf?: (index: number) => string | undefined
  ladder(index: number): FormLadder | undefined
}

export interface HistoryChoice {
  /** Index of the form per item, `leftOut` where it is not shown. */
  readonly chosen: Int32Array
  readonly cut: HistoryCut
  /** Whether the last request's cut was kept. */
  readonly held: boolean
}

/**
 * The newest part of a conversation whole, what lies before it in its shortest form while that fits, the oldest part not
 * at all. What is shown has no gaps, save for what is pinned; calls and their results move as
 * one. Only what is shown is looked at.
 */
export function compressHistory(problem: HistoryProblem): HistoryChoice {
  const { held, budgetTokens, cutShare, recentTurns = Infinity, pinned } = problem
  const groups = groupsOf(problem)
  const starts = recentTurns === Infinity ? [] : (problem.starts?.() ?? [])
  const within = (share: number): Walked =>
    walk({
      ...problem,
      groups,
      budgetTokens: Math.floor(budgetTokens * share),
      tail: tailStart(starts, Math.ceil(recentTurns * share), pinned.length),
      held: undefined,
    })
  if (held !== undefined && exchangesSince(starts, held.whole) <= recentTurns) {
    const { chosen, fits } = walk({ ...problem, groups, tail: 0 })
    if (fits) return { chosen, cut: held, held: true }
  }
  // Only where turns are counted, a conversation may come here that needs no cut.
  const whole = recentTurns === Infinity ? undefined : within(1)
  const { chosen, cut } = whole?.fits === true && whole.cut.short === whole.cut.whole ? whole : within(cutShare)
  return { chosen, cut, held: false }
}

interface Walked extends Pick<HistoryChoice, 'chosen' | 'cut'> {
  readonly fits: boolean
}

interface Walk extends HistoryProblem {
  /** What lies before may not be whole. */
  readonly tail: number
  readonly groups: ReadonlyMap<string, readonly number[]> | undefined
}

/** From the newest item to the oldest: along the given cut, or as far as the budget goes. */
function walk({ held, groups, tail, ...problem }: Walk): Walked {
  const { pinned, ladder, budgetTokens, groupOf, olderTokens = Infinity } = problem
  const chosen = new Int32Array(pinned.length).fill(leftOut)
  let left = budgetTokens
  let older = olderTokens
  for (let index = pinned.indexOf(1); index !== -1; index = pinned.indexOf(1, index + 1)) {
    chosen[index] = 0
    left -= tokensAt(ladder(index), 0)
  }
  let short = pinned.length
  let whole = pinned.length
  let fits = true
  for (let index = pinned.length - 1; index >= 0; index -= 1) {
    if (chosen[index] !== leftOut) continue
    if (held !== undefined && index < held.short) break
    const own = ladder(index)
    const members = groups?.get(groupOf?.(index) ?? '')
    let isKept = held === undefined ? index >= tail && short === whole : index >= held.whole
    let cost = costOf(problem, isKept, members ?? own)
    if (cost > left && isKept && held === undefined) {
      isKept = false
      cost = costOf(problem, isKept, members ?? own)
    }
    if (cost > (isKept ? left : Math.min(left, older))) {
      fits = false
      break
    }
    if (members === undefined) chosen[index] = placeOf(own, isKept)
    else for (const member of members) chosen[member] = placeOf(ladder(member), isKept)
    left -= cost
    short = index
    if (isKept) whole = index
    else older -= cost
  }
  return { chosen, cut: { short, whole }, fits }
}

/** Of one item by its ladder, or of a group by its members. */
function costOf(
  { ladder }: Pick<HistoryProblem, 'ladder'>,
  isKept: boolean,
  of: FormLadder | readonly number[] | undefined,
): number {
  if (!isList(of)) return tokensAt(of, placeOf(of, isKept))
  return of.reduce((sum, member) => sum + costOf({ ladder }, isKept, ladder(member)), 0)
}

function isList(of: FormLadder | readonly number[] | undefined): of is readonly number[] {
  return Array.isArray(of)
}

function tokensAt(ladder: FormLadder | undefined, place: number): number {
  return ladder?.points[place]?.tokens ?? 0
}

/** Of the form that loses nothing, or of the shortest. */
function placeOf(ladder: FormLadder | undefined, isKept: boolean): number {
  return isKept ? (ladder?.lossless ?? 0) : (ladder?.points.length ?? 1) - 1
}

function groupsOf({
  pinned,
  groupOf,
}: Pick<HistoryProblem, 'pinned' | 'groupOf'>): ReadonlyMap<string, readonly number[]> | undefined {
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
