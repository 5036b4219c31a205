import type { LadderOptions, RungPlan, RungUnit } from './rung-plan.ts'
import { rungPlan } from './rung-plan.ts'

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

/**
 * Chooses one point per ladder for the highest total value within the budget: steps along the hulls by falling value
 * per token, past those that do not fit, then whatever change of one item still fills the gap. The result is worth at
 * least the optimum less one step, and a larger budget is never worth less.
 */
export function chooseRungs({ ladders, budgetTokens }: RungProblem): RungChoice {
  return chooseFromPlan(rungPlan(ladders), budgetTokens)
}

/** The same for ladders that were put in order before: linear in the number of steps. */
export function chooseFromPlan(plan: RungPlan, budgetTokens: number): RungChoice {
  const progress: Progress = {
    plan,
    chosen: new Int32Array(plan.ladders.length).fill(leftOut),
    reached: new Int32Array(plan.units.length),
    blocked: new Uint8Array(plan.units.length),
    left: budgetTokens,
    value: 0,
  }
  takePinned(progress)
  const fits = progress.left >= 0
  if (fits) climb(progress)
  for (let index = 0; index < plan.units.length; index += 1) {
    const unit = plan.units[index]
    if (unit !== undefined) show(progress, unit, progress.reached[index] ?? 0)
  }
  if (fits) fillGap(progress)
  return { chosen: progress.chosen, tokens: budgetTokens - progress.left, value: progress.value, fits }
}

interface Progress {
  readonly plan: RungPlan
  readonly chosen: Int32Array
  /** States that each unit has reached. */
  readonly reached: Int32Array
  /** 1 once a step of the unit did not fit: later ones build on it. */
  readonly blocked: Uint8Array
  left: number
  value: number
}

/** Pinned ladders and the cheapest form of what shares their group are taken whatever they cost. */
function takePinned(progress: Progress): void {
  for (const [index, { path }] of progress.plan.units.entries()) {
    const first = path?.mandatory === true ? path.states[0] : undefined
    if (first === undefined) continue
    progress.reached[index] = 1
    progress.left -= first.tokens
    progress.value += first.value
  }
}

function climb(progress: Progress): void {
  const { plan, reached, blocked } = progress
  const { stepUnits, stepTokens, stepValues } = plan
  for (let step = 0; step < stepUnits.length; step += 1) {
    const unit = stepUnits[step] ?? 0
    if (blocked[unit] === 1) continue
    const tokens = stepTokens[step] ?? 0
    if (tokens > progress.left) {
      blocked[unit] = 1
      continue
    }
    reached[unit] = (reached[unit] ?? 0) + 1
    progress.left -= tokens
    progress.value += stepValues[step] ?? 0
  }
}

function show({ chosen }: Progress, { ladder, path, hull }: RungUnit, reached: number): void {
  if (reached === 0) return
  if (path === undefined) {
    chosen[ladder] = hull[reached - 1] ?? 0
    return
  }
  const points = path.states[reached - 1]?.points ?? []
  for (const [place, member] of path.members.entries()) chosen[member] = points[place] ?? 0
}

/** Rungs that are not on a hull can still use what is left; units whose next step did not fit are asked in order. */
function fillGap(progress: Progress): void {
  const { plan, blocked } = progress
  for (let step = 0; step < plan.stepUnits.length && progress.left > 0; step += 1) {
    const index = plan.stepUnits[step] ?? 0
    if (blocked[index] !== 1) continue
    if ((plan.stepRises[step] ?? 0) > progress.left) continue
    blocked[index] = 0
    const unit = plan.units[index]
    if (unit?.path === undefined) raise(progress, unit?.ladder ?? leftOut)
    else if ((progress.reached[index] ?? 0) > 0) for (const member of unit.path.members) raise(progress, member)
  }
}

/** The best point of one ladder that fits into what is left. */
function raise(progress: Progress, index: number): void {
  const ladder = progress.plan.ladders[index]
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
