import type { RungPoint } from './hull.ts'
import type { RungPlan } from './rung-plan.ts'

/** Other points for ladders of one unit than its climb gives them, and what that changes. */
export interface OtherPoints {
  readonly points: readonly { readonly ladder: number; readonly point: number }[]
  readonly tokens: number
  readonly gain: number
}

interface Place {
  readonly plan: RungPlan
  readonly unit: number
  /** States that the unit has reached. */
  readonly reached: number
  readonly left: number
}

/**
 * What a unit whose next step does not fit can do with what is left: the best point of its only ladder, or of one member
 * of its group; a group that is not shown yet can appear with all of its members at their cheapest.
 */
export function bestOther({ plan, unit, reached, left }: Place): OtherPoints | undefined {
  const { hull = [], ladder = 0, path } = plan.units[unit] ?? {}
  if (path === undefined) return betterPoint({ plan, ladder, now: hull[reached - 1], left })
  const { members, cheapest } = path
  if (reached === 0) {
    if (cheapest === undefined || cheapest.tokens > left) return undefined
    const points = members.map((member, place) => ({ ladder: member, point: cheapest.points[place] ?? 0 }))
    return { points, tokens: cheapest.tokens, gain: cheapest.value }
  }
  let best: OtherPoints | undefined
  for (const [place, member] of members.entries()) {
    const other = betterPoint({ plan, ladder: member, now: path.states[reached - 1]?.points[place], left })
    if (other !== undefined && other.gain > (best?.gain ?? 0)) best = other
  }
  return best
}

/** The most valuable point of one ladder that fits, where it is worth more than the present one. */
function betterPoint(choice: {
  readonly plan: RungPlan
  readonly ladder: number
  readonly now: number | undefined
  readonly left: number
}): OtherPoints | undefined {
  const { plan, ladder, now, left } = choice
  const options = plan.ladders[ladder]
  if (options === undefined || options.pinned === true) return undefined
  const { points, weight } = options
  const current = (now === undefined ? undefined : points[now]) ?? nothing
  let best = -1
  let value = current.value
  for (let point = 0; point < points.length; point += 1) {
    const other = points[point] ?? nothing
    if (other.value <= value || other.tokens - current.tokens > left) continue
    best = point
    value = other.value
  }
  if (best === -1) return undefined
  const tokens = (points[best]?.tokens ?? 0) - current.tokens
  return { points: [{ ladder, point: best }], tokens, gain: (value - current.value) * weight }
}

const nothing: RungPoint = { tokens: 0, value: 0 }
