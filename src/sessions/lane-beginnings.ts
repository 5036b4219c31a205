import { commonPrefixLength, steadyForm } from '../core/index.ts'
import type { WireExchange, TextSource } from '../core/index.ts'
import { bodyOf } from '../codecs/index.ts'
import { PassingMap } from '../host/index.ts'
import { beginningMarks } from './body-marks.ts'
import type { Lane } from './lane.ts'

/** Finds lanes by how the bodies of their requests begin. */
export interface LaneBeginnings {
  /** The last request of the lane, which has this key, begins so. */
  list(key: string, lane: Lane, body: TextSource): void
  unlist(key: string): void
  /** The last request that a body probably continues; a wrong guess costs time only. */
  guess(tenant: string, body: string): LastRequest | undefined
}

/** The last request of a session: as it came, and as layers had changed it, where they did. */
export interface LastRequest {
  readonly received: WireExchange
  readonly layered?: WireExchange | undefined
}

interface Entry {
  readonly key: string
  readonly lane: Lane
  /** The same that the lane holds. */
  body: TextSource
  readonly opening: string
  readonly marks: readonly number[]
}

/**
 * Agents of one kind begin alike for thousands of characters: how far a body goes together with the last of a session tells
 * them apart. Short bodies, and those of which something has changed far ahead, are found among the newest that open alike.
 */
export function laneBeginnings(): LaneBeginnings {
  const entries = new PassingMap<string, Entry>()
  const byMark = new PassingMap<number, Entry>()
  const byOpening = new PassingMap<string, readonly Entry[]>()

  const unlist = (key: string): void => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    for (const mark of entry.marks) if (byMark.get(mark) === entry) byMark.delete(mark)
    const others = byOpening.get(entry.opening)?.filter((other) => other !== entry) ?? []
    if (others.length > 0) byOpening.set(entry.opening, others)
    else byOpening.delete(entry.opening)
  }

  const farthest = (tenant: string, body: string): Entry | undefined => {
    const marks = beginningMarks(body)
    for (let at = marks.length - 1; at >= 0; at -= 1) {
      const entry = byMark.get(marks[at] ?? 0)
      if (entry?.lane.scope.tenant === tenant) return entry
    }
    return undefined
  }

  return {
    unlist,
    list(key, lane, body) {
      const known = entries.get(key)
      const isListed = known !== undefined && byOpening.get(known.opening)?.includes(known) === true
      if (isListed && known.body === body) return
      const opening = openingOf(lane.scope.tenant, body)
      // The last stretch may end in what closes a body, which stands elsewhere in the next one.
      const marks = beginningMarks(body).slice(-2)
      if (isListed && known.opening === opening && isSame(known.marks, marks)) {
        known.body = body
        return
      }
      unlist(key)
      const entry: Entry = { key, lane, body, opening, marks }
      entries.set(key, entry)
      for (const mark of marks) byMark.set(mark, entry)
      byOpening.set(opening, [entry, ...(byOpening.get(opening) ?? [])].slice(0, guesses))
    },
    guess(tenant, body) {
      const far = farthest(tenant, body)
      const alike = byOpening.get(openingOf(tenant, body)) ?? []
      let first: LastRequest | undefined
      for (const { lane } of far ? [far, ...alike] : alike) {
        for (const { state } of lane.held()) {
          const { received, layered } = state
          if (!received) continue
          if (continues(body, bodyOf(received))) return { received, layered }
          first ??= { received, layered }
        }
      }
      return first
    },
  }
}

/** Sessions that open alike and are looked at. */
const guesses = 8
const openingChars = 1000

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((mark, index) => mark === other[index])
}

function openingOf(tenant: string, body: TextSource): string {
  return `${tenant}\n${steadyForm(body.slice(0, openingChars))}`
}

/** Whether most of an earlier body stands at the beginning of a later one. */
function continues(body: string, earlier: TextSource): boolean {
  return commonPrefixLength(earlier, body) >= Math.floor(earlier.length * 0.8)
}
