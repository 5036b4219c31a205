import type { GroupPath } from './group-path.ts'
import { groupPath } from './group-path.ts'
import type { RungPoint } from './hull.ts'
import { hullOf } from './hull.ts'

/** The ways to show one item; leaving it out costs nothing and is worth nothing. */
export interface RungOptions {
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

/** A ladder on its own, or a group: what moves through the states of one hull, one step at a time. */
export interface RungUnit {
  /** Points of the hull of the only ladder, as indexes. */
  readonly hull: readonly number[]
  /** Index of the only ladder, or of the first one of the group. */
  readonly ladder: number
  readonly path?: GroupPath
}

/** What `chooseRungs` needs to know about ladders, whatever the budget is. */
export interface RungPlan {
  readonly ladders: readonly RungOptions[]
  readonly units: readonly RungUnit[]
  /** Unit, tokens and value of every step, by falling value per token; the steps of one unit stand in their order. */
  readonly stepUnits: Int32Array
  readonly stepTokens: Float64Array
  readonly stepValues: Float64Array
  /** Tokens and gain of what else the unit can do where a step begins, for less than the step; of step k from `otherStarts[k]` on. */
  readonly otherStarts: Int32Array
  readonly otherTokens: Float64Array
  readonly otherGains: Float64Array
  /** The fewest tokens of any step from one on, or of what else a unit can do there: with less, the rest of them changes nothing. */
  readonly leastFrom: Float64Array
}

/** Puts the steps of all ladders in order: the part of the choice that is worth keeping while the ladders stay. */
export function rungPlan(ladders: readonly RungOptions[]): RungPlan {
  const units = unitsOf(ladders)
  const steps: Step[] = []
  for (const unit of units.keys()) addSteps({ steps, ladders, units, unit })
  const sorted = steps.toSorted((a, b) => b.efficiency - a.efficiency)
  return {
    ladders,
    units,
    stepUnits: Int32Array.from(sorted, ({ unit }) => unit),
    stepTokens: Float64Array.from(sorted, ({ tokens }) => tokens),
    stepValues: Float64Array.from(sorted, ({ value }) => value),
    ...othersOf(sorted),
    leastFrom: leastFrom(sorted),
  }
}

function leastFrom(steps: readonly Step[]): Float64Array {
  const least = new Float64Array(steps.length)
  let fewest = Infinity
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const { tokens = Infinity, others = [] } = steps[index] ?? {}
    fewest = Math.min(fewest, tokens)
    for (const other of others) fewest = Math.min(fewest, other.tokens)
    least[index] = fewest
  }
  return least
}

function othersOf(steps: readonly Step[]): Pick<RungPlan, 'otherStarts' | 'otherTokens' | 'otherGains'> {
  const otherStarts = new Int32Array(steps.length + 1)
  const all: Other[] = []
  let step = 0
  for (const { others } of steps) {
    for (const other of others) all.push(other)
    step += 1
    otherStarts[step] = all.length
  }
  return {
    otherStarts,
    otherTokens: Float64Array.from(all, ({ tokens }) => tokens),
    otherGains: Float64Array.from(all, ({ gain }) => gain),
  }
}

function unitsOf(ladders: readonly RungOptions[]): readonly RungUnit[] {
  const groups = new Map<string, number[]>()
  for (let index = 0; index < ladders.length; index += 1) {
    const { group } = ladders[index] as RungOptions
    if (group === undefined) continue
    const members = groups.get(group)
    if (members === undefined) groups.set(group, [index])
    else members.push(index)
  }
  const units: RungUnit[] = []
  for (let index = 0; index < ladders.length; index += 1) {
    const ladder = ladders[index] as RungOptions
    const { group, pinned } = ladder
    const members = (group === undefined ? undefined : groups.get(group)) ?? [index]
    if (members.length === 1 && pinned !== true) units.push({ ladder: index, hull: hullIndexes(ladder) })
    else if (members[0] === index) units.push({ ladder: index, hull: [], path: groupPath(members, ladders) })
  }
  return units
}

interface Step {
  readonly unit: number
  readonly tokens: number
  readonly value: number
  readonly efficiency: number
  readonly others: readonly Other[]
}

/** Another form of a unit than the next on its hull. */
interface Other {
  readonly tokens: number
  readonly gain: number
}

function addSteps(way: {
  readonly steps: Step[]
  readonly ladders: readonly RungOptions[]
  readonly units: readonly RungUnit[]
  readonly unit: number
}): void {
  const { steps, ladders, units, unit } = way
  const { ladder = 0, hull = [], path } = units[unit] ?? {}
  const { points = [], weight = 1 } = ladders[ladder] ?? {}
  const count = path === undefined ? hull.length : path.states.length
  let before = nothing
  let efficiency = Infinity
  for (let index = 0; index < count; index += 1) {
    const state = (path === undefined ? points[hull[index] ?? 0] : path.states[index]) ?? nothing
    const tokens = state.tokens - before.tokens
    const value = (state.value - before.value) * (path === undefined ? weight : 1)
    const others =
      path === undefined ? othersFrom(points, before, weight) : groupOthers({ path, reached: index, ladders })
    before = state
    if (index === 0 && path?.mandatory === true) continue
    // Equal steps may come out a hair apart; a unit's own order must hold.
    efficiency = Math.min(efficiency, tokens > 0 ? value / tokens : Infinity)
    steps.push({ unit, tokens, value, efficiency, others: others.filter((other) => other.tokens < tokens) })
  }
}

/** The points of a ladder that are worth more than one of them. */
function othersFrom(points: readonly RungPoint[], from: RungPoint, weight: number): readonly Other[] {
  return points
    .filter(({ value }) => value > from.value)
    .map(({ tokens, value }) => ({ tokens: tokens - from.tokens, gain: (value - from.value) * weight }))
}

/** The same for a group that has reached `reached` states: it appears at its cheapest, and its members change one at a time. */
function groupOthers(group: {
  readonly path: GroupPath
  readonly reached: number
  readonly ladders: readonly RungOptions[]
}): readonly Other[] {
  const { reached, ladders } = group
  const { members, states, cheapest } = group.path
  if (reached === 0) return cheapest === undefined ? [] : [{ tokens: cheapest.tokens, gain: cheapest.value }]
  return members.flatMap((member, place) => {
    const { points = [], weight = 1, pinned = false } = ladders[member] ?? {}
    const now = points[states[reached - 1]?.points[place] ?? 0]
    return pinned || now === undefined ? [] : othersFrom(points, now, weight)
  })
}

const nothing: RungPoint = { tokens: 0, value: 0 }

function hullIndexes({ points, hull }: RungOptions): readonly number[] {
  return hull ?? hullOf(points)
}
