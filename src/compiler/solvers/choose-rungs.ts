import type { RungPoint } from './hull.ts'
import { hullOf } from './hull.ts'
import type { GroupPath } from './group-path.ts'
import { groupPath } from './group-path.ts'

/** The ways to show one item; leaving it out costs nothing and is worth nothing. */
export interface LadderOptions {
  /** Dearest first, as in its ladder. */
  readonly points: readonly RungPoint[]
  /** What `hullOf(points)` gave, where the caller has kept it. */
  readonly hull?: readonly number[]
  /** Multiplies the value of every point. */
  readonly weight: number
  /** Shown as its first point, whatever happens. */
  readonly pinned?: boolean
  /** Ladders that share a group are shown or left out together. */
  readonly group?: string
}

export interface RungProblem {
  readonly ladders: readonly LadderOptions[]
  readonly budgetTokens: number
}

export interface RungChoice {
  /** Index of the chosen point per ladder, `leftOut` where the item is not shown. */
  readonly chosen: Int32Array
  readonly tokens: number
  readonly value: number
  /** False when pinned items and their groups alone exceed the budget; then nothing else is shown. */
  readonly fits: boolean
}

export const leftOut = -1

/** A ladder on its own, or a group: what moves through the states of one hull. */
interface Unit {
  /** Index of the only ladder, or of the first one of the group. */
  readonly ladder: number
  readonly path?: GroupPath
  /** States reached so far. */
  reached: number
  /** True once a step did not fit: later steps build on it. */
  blocked: boolean
}

/** One step of one unit to its next state. */
interface Step {
  readonly unit: Unit
  readonly tokens: number
  readonly value: number
  readonly efficiency: number
}

/**
 * Chooses one point per ladder for the highest total value within the budget: steps along the hulls by falling value
 * per token, past those that do not fit, then whatever change of one item still fills the gap. The result is worth at
 * least the optimum less one step, and a larger budget is never worth less.
 */
export function chooseRungs({ ladders, budgetTokens }: RungProblem): RungChoice {
  const progress: Progress = {
    ladders,
    chosen: new Int32Array(ladders.length).fill(leftOut),
    left: budgetTokens,
    value: 0,
  }
  const units = unitsOf(ladders)
  takePinned(progress, units)
  const fits = progress.left >= 0
  if (fits) {
    const steps = stepsOf(ladders, units)
    climb(progress, steps)
    show(progress, units)
    fillGap(progress, steps)
  } else show(progress, units)
  return { chosen: progress.chosen, tokens: budgetTokens - progress.left, value: progress.value, fits }
}

interface Progress {
  readonly ladders: readonly LadderOptions[]
  readonly chosen: Int32Array
  left: number
  value: number
}

function unitsOf(ladders: readonly LadderOptions[]): readonly Unit[] {
  const groups = new Map<string, number[]>()
  for (const [index, { group }] of ladders.entries()) {
    if (group === undefined) continue
    const members = groups.get(group)
    if (members === undefined) groups.set(group, [index])
    else members.push(index)
  }
  const units: Unit[] = []
  for (const [index, { group, pinned }] of ladders.entries()) {
    const members = (group === undefined ? undefined : groups.get(group)) ?? [index]
    if (members.length === 1 && pinned !== true) {
      units.push({ ladder: index, reached: 0, blocked: false })
    } else if (members[0] === index) {
      units.push({ ladder: index, path: groupPath(members, ladders), reached: 0, blocked: false })
    }
  }
  return units
}

/** Pinned ladders and the cheapest form of what shares their group are taken whatever they cost. */
function takePinned(progress: Progress, units: readonly Unit[]): void {
  for (const unit of units) {
    const first = unit.path?.mandatory === true ? unit.path.states[0] : undefined
    if (first === undefined) continue
    unit.reached = 1
    progress.left -= first.tokens
    progress.value += first.value
  }
}

function stepsOf(ladders: readonly LadderOptions[], units: readonly Unit[]): readonly Step[] {
  const steps: Step[] = []
  for (const unit of units) {
    const ladder = ladders[unit.ladder]
    if (unit.path !== undefined) addSteps({ steps, unit, states: unit.path.states, weight: 1 })
    else if (ladder !== undefined) addSteps({ steps, unit, states: hullPoints(ladder), weight: ladder.weight })
  }
  return steps.toSorted((a, b) => b.efficiency - a.efficiency)
}

function hullPoints({ points, hull }: LadderOptions): readonly RungPoint[] {
  if (points.length <= 1) return points
  return (hull ?? hullOf(points)).flatMap((index) => points.slice(index, index + 1))
}

function addSteps(way: {
  readonly steps: Step[]
  readonly unit: Unit
  readonly states: readonly RungPoint[]
  readonly weight: number
}): void {
  let before: RungPoint = { tokens: 0, value: 0 }
  for (const [index, state] of way.states.entries()) {
    const tokens = state.tokens - before.tokens
    const value = (state.value - before.value) * way.weight
    before = state
    if (index < way.unit.reached) continue
    way.steps.push({ unit: way.unit, tokens, value, efficiency: tokens > 0 ? value / tokens : Infinity })
  }
}

function climb(progress: Progress, steps: readonly Step[]): void {
  for (const { unit, tokens, value } of steps) {
    if (unit.blocked) continue
    if (tokens > progress.left) {
      unit.blocked = true
      continue
    }
    unit.reached += 1
    progress.left -= tokens
    progress.value += value
  }
}

function show({ ladders, chosen }: Progress, units: readonly Unit[]): void {
  for (const { ladder, path, reached } of units) {
    if (reached === 0) continue
    if (path === undefined) chosen[ladder] = hullAt(ladders[ladder], reached - 1)
    else {
      const points = path.states[reached - 1]?.points ?? []
      for (const [place, member] of path.members.entries()) chosen[member] = points[place] ?? 0
    }
  }
}

function hullAt(ladder: LadderOptions | undefined, state: number): number {
  if (ladder === undefined || ladder.points.length <= 1) return 0
  return (ladder.hull ?? hullOf(ladder.points))[state] ?? 0
}

/** Rungs that are not on a hull can still use what is left; units whose next step did not fit are asked in order. */
function fillGap(progress: Progress, steps: readonly Step[]): void {
  if (progress.left <= 0) return
  for (const { unit } of steps) {
    if (!unit.blocked) continue
    unit.blocked = false
    if (unit.path === undefined) raise(progress, unit.ladder)
    else if (unit.reached > 0) for (const member of unit.path.members) raise(progress, member)
  }
}

/** The best point of one ladder that fits into what is left. */
function raise(progress: Progress, index: number): void {
  const ladder = progress.ladders[index]
  if (ladder === undefined || ladder.pinned === true) return
  const now = progress.chosen[index] ?? leftOut
  const current = ladder.points[now] ?? { tokens: 0, value: 0 }
  let best = now
  for (const [point, { tokens, value }] of ladder.points.entries()) {
    if (tokens - current.tokens > progress.left) continue
    if (best === leftOut || value > (ladder.points[best]?.value ?? 0)) best = point
  }
  const next = ladder.points[best]
  if (best === now || next === undefined) return
  progress.chosen[index] = best
  progress.left -= next.tokens - current.tokens
  progress.value += (next.value - current.value) * ladder.weight
}
