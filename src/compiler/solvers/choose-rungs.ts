import { bestOther } from './other-points.ts'
import type { OtherPoints } from './other-points.ts'
import type { RungOptions, RungPlan, RungUnit } from './rung-plan.ts'
import { rungPlan } from './rung-plan.ts'

export interface RungProblem {
  readonly ladders: readonly RungOptions[]
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

/** In the place of a point: the item is not shown. */
export const leftOut = -1

/**
 * Chooses one point per ladder for a high total value within the budget: steps along the hulls by falling value per
 * token, past those that do not fit. Each step that does not fit is also a place to stop and spend what is left on
 * another point of its unit, on the hull or off it; the best of these and of the whole climb is the answer. It is
 * worth at least the optimum less one step, and a larger budget is never worth less.
 *
 * Why never less: two budgets take and refuse the same steps up to the first one, k, that only the larger one affords,
 * and until then the larger one has more left at every stop. From k on, nothing has a better value per token than k:
 * later steps by their order, other points because they lie under the hull. The smaller budget has less left than k
 * costs, so all it still does is worth less than k alone, which the larger budget takes.
 */
export function chooseRungs({ ladders, budgetTokens }: RungProblem): RungChoice {
  return chooseFromPlan(rungPlan(ladders), budgetTokens)
}

/** The same for ladders that were put in order before: linear in the number of steps. */
export function chooseFromPlan(plan: RungPlan, budgetTokens: number): RungChoice {
  const whole = climb(plan, { budgetTokens, until: plan.stepUnits.length })
  const { stop } = whole
  const best =
    stop === undefined || stop.value <= whole.value
      ? whole
      : withOther(climb(plan, { budgetTokens, until: stop.step }), stop.other)
  return {
    chosen: chosenAt(plan, best),
    tokens: budgetTokens - best.left,
    value: best.value,
    fits: best.left >= 0,
  }
}

interface Climb {
  /** States that each unit has reached. */
  readonly reached: Int32Array
  /** Negative where what is pinned does not fit. */
  readonly left: number
  readonly value: number
  readonly stop?: Stop | undefined
  /** What one unit shows instead of the state that it has reached. */
  readonly other?: OtherPoints
}

/** A step that did not fit, and what else its unit can do with what is left there. */
interface Stop {
  readonly step: number
  readonly other: OtherPoints
  /** Of everything that is shown when the climb ends here. */
  readonly value: number
}

function climb(plan: RungPlan, { budgetTokens, until }: { budgetTokens: number; until: number }): Climb {
  const { stepUnits, stepTokens, stepValues, leastFrom } = plan
  const reached = new Int32Array(plan.units.length)
  // 1 once a step of the unit did not fit: later ones build on it.
  const blocked = new Uint8Array(plan.units.length)
  const pinned = takePinned(plan, reached)
  let left = budgetTokens - pinned.tokens
  let { value } = pinned
  let stop: Stop | undefined
  for (let step = 0; step < until && left >= Math.max(0, leastFrom[step] ?? 0); step += 1) {
    const unit = stepUnits[step] ?? 0
    if (blocked[unit] === 1) continue
    const tokens = stepTokens[step] ?? 0
    if (tokens <= left) {
      reached[unit] = (reached[unit] ?? 0) + 1
      left -= tokens
      value += stepValues[step] ?? 0
      continue
    }
    blocked[unit] = 1
    const gain = mostGain(plan, step, left)
    if (gain === 0 || value + gain <= (stop?.value ?? 0)) continue
    const other = bestOther({ plan, unit, reached: reached[unit] ?? 0, left })
    if (other !== undefined) stop = { step, other, value: value + other.gain }
  }
  return { reached, left, value, stop }
}

/** The most that the unit of a step, which does not fit, can gain with what is left. */
function mostGain({ otherStarts, otherTokens, otherGains }: RungPlan, step: number, left: number): number {
  const end = otherStarts[step + 1] ?? 0
  let most = 0
  for (let at = otherStarts[step] ?? 0; at < end; at += 1)
    if ((otherTokens[at] ?? 0) <= left) most = Math.max(most, otherGains[at] ?? 0)
  return most
}

/** Pinned ladders and the cheapest form of what shares their group are taken whatever they cost. */
function takePinned({ units }: RungPlan, reached: Int32Array): { readonly tokens: number; readonly value: number } {
  let tokens = 0
  let value = 0
  for (let unit = 0; unit < units.length; unit += 1) {
    const path = units[unit]?.path
    const first = path?.mandatory === true ? path.states[0] : undefined
    if (first === undefined) continue
    reached[unit] = 1
    tokens += first.tokens
    value += first.value
  }
  return { tokens, value }
}

function withOther({ reached, left, value }: Climb, other: OtherPoints): Climb {
  return { reached, left: left - other.tokens, value: value + other.gain, other }
}

function chosenAt({ ladders, units }: RungPlan, { reached, other }: Climb): Int32Array {
  const chosen = new Int32Array(ladders.length).fill(leftOut)
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index]
    if (unit !== undefined) show(chosen, unit, reached[index] ?? 0)
  }
  for (const { ladder, point } of other?.points ?? []) chosen[ladder] = point
  return chosen
}

/** Writes the points of one unit into `chosen`. */
function show(chosen: Int32Array, { ladder, path, hull }: RungUnit, reached: number): void {
  if (reached === 0) return
  if (path === undefined) {
    chosen[ladder] = hull[reached - 1] ?? 0
    return
  }
  const points = path.states[reached - 1]?.points ?? []
  for (const [place, member] of path.members.entries()) chosen[member] = points[place] ?? 0
}
