import { hash } from 'node:crypto'
import type { Exchange } from '../core/index.ts'
import { ledgerKeys } from '../compiler/index.ts'
import type { Scope } from '../stores/index.ts'
import { openLane } from './lane.ts'
import type { Lane } from './lane.ts'
import type { LiveState } from './live-state.ts'
import { session } from './session.ts'
import type { Session } from './session.ts'
import type { SessionParts } from './session-parts.ts'

export interface Sessions {
  /** The session of a scope; nothing is read before its first request. */
  open(scope: Scope): Session
  /** The last request that a body probably continues; a wrong guess costs time only. */
  guess(tenant: string, body: string): Exchange | undefined
}

interface Entry {
  readonly lane: Lane
  chars: number
  opening: string
}

/** Holds the sessions that are in use; the store has them all. */
export function openSessions(parts: SessionParts): Sessions {
  const { store, limits } = parts
  const live = new Map<string, Entry>()
  const byOpening = new Map<string, Set<Lane>>()
  const keysOf = ledgerKeys((text) => hash('sha256', text))
  let chars = 0

  const entryOf = (scope: Scope): Entry => {
    const key = keyOf(scope)
    const known = live.get(key)
    if (known) return known
    const made: Entry = { lane: openLane(store, scope, limits.stageMs), chars: 0, opening: '' }
    live.set(key, made)
    return made
  }

  const unlist = ({ opening, lane }: Entry): void => {
    const lanes = byOpening.get(opening)
    lanes?.delete(lane)
    if (lanes?.size === 0) byOpening.delete(opening)
  }

  const list = (entry: Entry, body: string): void => {
    unlist(entry)
    entry.opening = openingOf(entry.lane.scope.tenant, body)
    const lanes = byOpening.get(entry.opening) ?? new Set()
    byOpening.set(entry.opening, lanes.add(entry.lane))
  }

  /** Makes room by letting go of the lanes that were not used longest. */
  const touch = (entry: Entry): void => {
    const size = entry.lane.held.reduce((total, { state }) => total + charsOf(state), 0)
    chars += size - entry.chars
    entry.chars = size
    const body = entry.lane.held[0]?.state.received?.wire.body
    if (body !== undefined) list(entry, body)
    const key = keyOf(entry.lane.scope)
    live.delete(key)
    live.set(key, entry)
    for (const [oldKey, old] of live) {
      if (old === entry || (live.size <= limits.liveSessions && chars <= limits.liveChars)) break
      if (!old.lane.turns.isIdle) continue
      live.delete(oldKey)
      unlist(old)
      chars -= old.chars
    }
  }

  const guess = (tenant: string, body: string): Exchange | undefined => {
    const lanes = byOpening.get(openingOf(tenant, body))
    if (!lanes) return undefined
    const known = [...lanes]
      .slice(-guesses)
      .toReversed()
      .flatMap(({ held }) => held.flatMap(({ state: { received } }) => received ?? []))
    return known.find(({ wire }) => continues(body, wire.body)) ?? known[0]
  }

  return {
    open(scope) {
      // Looked up with every call: a lane that was let go meanwhile must not come back beside a newer one.
      const host = () => {
        const entry = entryOf(scope)
        return { parts, keysOf, lane: entry.lane, changed: () => touch(entry) }
      }
      return session(host)
    },
    guess,
  }
}

/** Sessions that begin alike and are looked at. */
const guesses = 8
const openingChars = 1000

function openingOf(tenant: string, body: string): string {
  return `${tenant}\n${body.slice(0, openingChars)}`
}

/** Whether most of an earlier body stands at the beginning of a later one. */
function continues(body: string, earlier: string): boolean {
  return body.startsWith(earlier.slice(0, Math.floor(earlier.length * 0.8)))
}

function charsOf({ received, restored }: LiveState): number {
  const own = received?.wire.body.length ?? 0
  return restored === undefined || restored.wire.body === received?.wire.body ? own : own + restored.wire.body.length
}

function keyOf({ tenant, session: name, lane = '' }: Scope): string {
  return JSON.stringify([tenant, name, lane])
}
