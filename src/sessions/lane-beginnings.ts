import type { Exchange } from '../core/index.ts'
import type { Lane } from './lane.ts'

/** Finds lanes by how the bodies of their requests begin. */
export interface LaneBeginnings {
  /** The lane's last request begins so. */
  list(lane: Lane, body: string): void
  unlist(lane: Lane): void
  /** The last request that a body probably continues; a wrong guess costs time only. */
  guess(tenant: string, body: string): Exchange | undefined
}

export function laneBeginnings(): LaneBeginnings {
  const byOpening = new Map<string, Set<Lane>>()
  const openings = new Map<Lane, string>()

  const unlist = (lane: Lane): void => {
    const opening = openings.get(lane)
    if (opening === undefined) return
    openings.delete(lane)
    const lanes = byOpening.get(opening)
    lanes?.delete(lane)
    if (lanes?.size === 0) byOpening.delete(opening)
  }

  return {
    unlist,
    list(lane, body) {
      const opening = openingOf(lane.scope.tenant, body)
      if (openings.get(lane) === opening) return
      unlist(lane)
      openings.set(lane, opening)
      byOpening.set(opening, (byOpening.get(opening) ?? new Set()).add(lane))
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

function newestOf(lanes: ReadonlySet<Lane>): readonly Lane[] {
  return [...lanes].slice(-guesses).toReversed()
}

function openingOf(tenant: string, body: string): string {
  return `${tenant}\n${body.slice(0, openingChars)}`
}

/** Whether most of an earlier body stands at the beginning of a later one. Slices are compared many times faster than by `startsWith`. */
function continues(body: string, earlier: string): boolean {
  const most = Math.floor(earlier.length * 0.8)
  return body.slice(0, most) === earlier.slice(0, most)
}
