import { laneBeginnings } from './lane-beginnings.ts'
import type { LastRequest } from './lane-beginnings.ts'
import type { WireExchange } from '../core/index.ts'
import { bodyOf, heldBytes } from '../codecs/index.ts'
import { PassingMap } from '../host/index.ts'
import { scopeKey } from '../stores/index.ts'
import type { Scope } from '../stores/index.ts'
import { tenantTools } from './catalogue/tenant-tools.ts'
import { sessionCosts } from './cost/session-costs.ts'
import { tenantAccounts } from './cost/tenant-accounts.ts'
import { belonging } from './kept-replies.ts'
import type { Belonging } from './kept-replies.ts'
import { openLane } from './lane.ts'
import type { Lane } from './lane.ts'
import type { LiveState } from './live-state.ts'
import { session } from './session.ts'
import type { Session } from './session.ts'
import { sessionScope } from './session-key.ts'
import type { SessionParts } from './session-parts.ts'
import { withinDeadline } from './within-deadline.ts'

export interface Sessions {
  /** The session of a scope; nothing is read before its first request. */
  open(scope: Scope): Session
  /** The session that a request belongs to, and what is known of the reply that it goes on from. */
  belonging(tenant: string, exchange: WireExchange): Promise<Belonging>
  /** The last request that a body probably continues; a wrong guess costs time only. */
  guess(tenant: string, body: string): WireExchange | undefined
  /** Lets go of what is held of a tenant, but for the sessions that a request is under way of. */
  forget(tenant: string): void
  /** The same, with what layers had made of it. */
  lastRequest(tenant: string, body: string): LastRequest | undefined
}

interface Entry {
  readonly key: string
  readonly lane: Lane
  bytes: number
}

/** Holds the sessions that are in use; the store has them all. */
export function openSessions(parts: SessionParts): Sessions {
  const { store, limits, stopwatch } = parts
  const live = new PassingMap<string, Entry>()
  const beginnings = laneBeginnings()
  const costs = sessionCosts({ store, stopwatch, mostSessions: limits.liveSessions })
  const asked = { store, stopwatch, stageMs: limits.stageMs }
  const accounts = tenantAccounts({ ...asked, mostTenants: limits.liveSessions })
  const clientTools = tenantTools(asked)
  let bytes = 0

  const entryOf = (key: string, scope: Scope): Entry => {
    const known = live.get(key)
    if (known) return known
    const made: Entry = { key, lane: openLane(scope, { store, stageMs: limits.stageMs, costs }), bytes: 0 }
    live.set(key, made)
    return made
  }

  const letGo = (old: Entry): void => {
    live.delete(old.key)
    beginnings.unlist(old.key)
    bytes -= old.bytes
  }

  /** Makes room by letting go of the lanes that were not used longest. */
  const touch = (entry: Entry): void => {
    const size = entry.lane.held().reduce((total, { state }) => total + bytesOf(state), 0)
    bytes += size - entry.bytes
    entry.bytes = size
    const received = entry.lane.held()[0]?.state.received
    if (received) beginnings.list(entry.key, entry.lane, bodyOf(received))
    live.delete(entry.key)
    live.set(entry.key, entry)
    for (const old of live.values()) {
      if (old === entry || (live.size <= limits.liveSessions && bytes <= limits.liveBytes)) break
      if (!old.lane.turns.isIdle()) continue
      letGo(old)
    }
  }

  return {
    open(scope) {
      const key = scopeKey(scope)
      // Looked up with every call: a lane that was let go meanwhile must not come back beside a newer one.
      const host = () => {
        const entry = entryOf(key, scope)
        return { parts, lane: entry.lane, accounts, clientTools, changed: () => touch(entry) }
      }
      return session(host)
    },
    async belonging(tenant, exchange) {
      if (exchange.wire.continues === undefined) return { scope: sessionScope(tenant, exchange) }
      return withinDeadline(belonging(store, tenant, exchange), limits.stageMs)
    },
    forget(tenant) {
      clientTools.forget(tenant)
      parts.meanings?.forget(tenant)
      for (const entry of live.values())
        if (entry.lane.scope.tenant === tenant && entry.lane.turns.isIdle()) letGo(entry)
    },
    guess: (tenant, body) => beginnings.guess(tenant, body)?.received,
    lastRequest: beginnings.guess,
  }
}

/** What was read of one body is held once. */
function bytesOf({ received, layered, restored }: LiveState): number {
  const bodies = new Map([received, layered, restored].flatMap((one) => (one ? [[one.wire.places ?? one, one]] : [])))
  return bodies.values().reduce((total, one) => total + heldBytes(one), 0)
}
