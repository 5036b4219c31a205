import type { RungPoint } from './hull.ts'
import { hullOf } from './hull.ts'

interface Member {
  readonly points: readonly RungPoint[]
  readonly weight: number
  readonly pinned?: boolean
}

/** One state of a group: a point for each of its members. */
export interface GroupState {
  readonly tokens: number
  readonly value: number
  readonly points: readonly number[]
}

/** The states that a group moves through, cheapest first; each adds less value per token than the one before. */
export interface GroupPath {
  readonly members: readonly number[]
  /** Whether the first state must be reached, because a member is pinned. */
  readonly mandatory: boolean
  /** Empty when a member cannot be shown at all. */
  readonly states: readonly GroupState[]
  /** Every member at its cheapest point, pinned ones in full, whether that is on the hull or not. */
  readonly cheapest?: GroupState
}

/**
 * A group starts with every member at its cheapest point, pinned ones in full, and climbs one member at a time by
 * falling value per token. When nothing is pinned, leaving the group out is a state too, and only the hull counts.
 */
export function groupPath(indices: readonly number[], ladders: readonly Member[]): GroupPath {
  const members = indices.map((index) => ladders[index] ?? unshowable)
  const mandatory = members.some(({ pinned }) => pinned === true)
  if (members.some(({ points }) => points.length === 0)) return { members: indices, mandatory: false, states: [] }
  let points: readonly number[] = members.map((member) => (member.pinned === true ? 0 : cheapestOf(member.points)))
  const climb = members.flatMap((member, place) => (member.pinned === true ? [] : stepsOf(member, place)))
  const states = [stateOf(members, points)]
  for (const step of climb.toSorted((a, b) => b.efficiency - a.efficiency || a.place - b.place)) {
    points = points.with(step.place, step.point)
    states.push(stateOf(members, points))
  }
  const [first] = states
  const path = { members: indices, mandatory, ...(first === undefined ? {} : { cheapest: first }) }
  if (mandatory) return { ...path, states }
  return { ...path, states: hullOf(states).flatMap((index) => states.slice(index, index + 1)) }
}

const unshowable: Member = { points: [], weight: 0 }

function stateOf(members: readonly Member[], points: readonly number[]): GroupState {
  let tokens = 0
  let value = 0
  for (const [place, member] of members.entries()) {
    const point = member.points[points[place] ?? 0]
    tokens += point?.tokens ?? 0
    value += (point?.value ?? 0) * member.weight
  }
  return { tokens, value, points }
}

function cheapestOf(points: readonly RungPoint[]): number {
  let best = 0
  for (const [index, { tokens, value }] of points.entries()) {
    const champion = points[best]
    if (champion === undefined) continue
    if (tokens < champion.tokens || (tokens === champion.tokens && value > champion.value)) best = index
  }
  return best
}

interface MemberStep {
  readonly place: number
  readonly point: number
  readonly efficiency: number
}

/** Steps along the hull of what lies above the member's cheapest point. */
function stepsOf(member: Member, place: number): readonly MemberStep[] {
  const base = member.points[cheapestOf(member.points)]
  if (base === undefined) return []
  const above = member.points.map(({ tokens, value }) => ({ tokens: tokens - base.tokens, value: value - base.value }))
  const steps: MemberStep[] = []
  let reached: RungPoint = { tokens: 0, value: 0 }
  for (const point of hullOf(above)) {
    const next = above[point]
    if (next === undefined || next.value <= reached.value) continue
    const efficiency = ((next.value - reached.value) * member.weight) / (next.tokens - reached.tokens)
    steps.push({ place, point, efficiency })
    reached = next
  }
  return steps
}
