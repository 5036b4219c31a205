import { steadyForm } from '../core/index.ts'
import type { Exchange } from '../core/index.ts'
import { PassingMap } from '../host/index.ts'
import type { Lane } from './lane.ts'

/** Finds lanes by how the bodies of their requests begin. */
export interface LaneBeginnings {
  /** The last request of the lane, which has this key, begins so. */
  list(key: string, lane: Lane, body: string): void
  unlist(key: string): void
  /** The last request that a body probably continues; a wrong guess costs time only. */
  guess(tenant: string, body: string): Exchange | undefined
}

export function laneBeginnings(): LaneBeginnings {
  const byOpening = new PassingMap<string, PassingMap<string, Lane>>()
  const openings = new Map<string, string>()

  const unlist = (key: string): void => {
    const opening = openings.get(key)
    if (opening === undefined) return
    openings.delete(key)
    const lanes = byOpening.get(opening)
    lanes?.delete(key)
    if (lanes?.size === 0) byOpening.delete(opening)
  }

  return {
    unlist,
    list(key, lane, body) {
      const opening = openingOf(lane.scope.tenant, body)
      if (openings.get(key) === opening) return
      unlist(key)
      openings.set(key, opening)
      const lanes = byOpening.get(opening) ?? new PassingMap()
      lanes.set(key, lane)
      byOpening.set(opening, lanes)
    },
    guess(tenant, body) {
      const lanes = byOpening.get(openingOf(tenant, body))
      let first: Exchange | undefined
      for (const { held } of lanes ? newestOf(lanes) : []) {
        for (const { state } of held) {
          const { received } = state
          if (received && continues(body, received.wire.body)) return received
          first ??= received
        }
      }
      return first
    },
  }
}

/** Sessions that begin alike and are looked at. */
const guesses = 8
const openingChars = 1000

function newestOf(lanes: PassingMap<string, Lane>): readonly Lane[] {
  return [...lanes.values()].slice(-guesses).toReversed()
}

function openingOf(tenant: string, body: string): string {
  return `${tenant}\n${steadyForm(body.slice(0, openingChars))}`
}

/** Whether most of an earlier body stands at the beginning of a later one. Slices are compared many times faster than by `startsWith`. */
function continues(body: string, earlier: string): boolean {
  const most = Math.floor(earlier.length * 0.8)
  return body.slice(0, most) === earlier.slice(0, most)
}
