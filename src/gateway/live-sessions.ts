import { rehydrateToolName } from '../core/index.ts'
import type { Exchange, HiddenTurn, Ledger } from '../core/index.ts'
import type { PlannedBreakpoint } from '../providers/index.ts'
import type { Scope, Store } from '../stores/index.ts'

/** A conversation between its requests. Whoever reads and changes `ledger` does so without waiting in between. */
export interface LiveSession {
  readonly scope: Scope
  /** Requests under way; a session in use stays in memory, so that there is never a second one beside it. */
  users: number
  ledger: Ledger | undefined
  toolOffered: boolean
  hidden: readonly HiddenTurn[]
  /** Handles whose originals are stored. */
  readonly handles: Set<string>
  /** The last request as it came, and with hidden turns put back, so that what is the same is not read again. */
  received: Exchange | undefined
  restored: Exchange | undefined
  /** Where the last request was marked for the provider's cache. */
  marked: readonly PlannedBreakpoint[] | undefined
}

export interface SessionLimits {
  readonly liveSessions: number
  readonly liveChars: number
}

export interface LiveSessions {
  /** The session, at once where it is in memory. Rejects when the store cannot be read. */
  open(scope: Scope): LiveSession | Promise<LiveSession>
  /** The last request that a body probably continues; a wrong guess costs time only. */
  guess(tenant: string, body: string): Exchange | undefined
  /** To be called when `received` has changed: makes room by letting go of the sessions that were not used longest. */
  touch(session: LiveSession): void
}

interface Entry {
  readonly session: LiveSession
  chars: number
  opening: string
}

/** Keeps sessions in memory between requests; the store has them all. */
export function liveSessions(store: Store, limits: SessionLimits): LiveSessions {
  const live = new Map<string, Entry>()
  const loading = new Map<string, Promise<LiveSession>>()
  const byOpening = new Map<string, Set<LiveSession>>()
  let chars = 0

  const load = async (scope: Scope, key: string): Promise<LiveSession> => {
    try {
      const state = await store.session(scope)
      const session: LiveSession = {
        scope,
        users: 0,
        ledger: state?.ledger,
        toolOffered: state?.offeredTools.includes(rehydrateToolName) ?? false,
        hidden: state?.overlay.flatMap((part) => (part.kind === 'hidden-turn' ? [part.turn] : [])) ?? [],
        handles: new Set(),
        received: undefined,
        restored: undefined,
        marked: undefined,
      }
      live.set(key, { session, chars: 0, opening: '' })
      return session
    } finally {
      loading.delete(key)
    }
  }

  const open = (scope: Scope): LiveSession | Promise<LiveSession> => {
    const key = keyOf(scope)
    const known = live.get(key)?.session ?? loading.get(key)
    if (known) return known
    const loaded = load(scope, key)
    loading.set(key, loaded)
    return loaded
  }

  const unlist = ({ opening, session }: Entry): void => {
    const sessions = byOpening.get(opening)
    sessions?.delete(session)
    if (sessions?.size === 0) byOpening.delete(opening)
  }

  const list = (entry: Entry, body: string): void => {
    unlist(entry)
    entry.opening = openingOf(entry.session.scope.tenant, body)
    const sessions = byOpening.get(entry.opening) ?? new Set()
    byOpening.set(entry.opening, sessions.add(entry.session))
  }

  const touch = (session: LiveSession): void => {
    const key = keyOf(session.scope)
    const entry = live.get(key) ?? { session, chars: 0, opening: '' }
    const size = charsOf(session)
    chars += size - entry.chars
    entry.chars = size
    if (session.received) list(entry, session.received.wire.body)
    live.delete(key)
    live.set(key, entry)
    for (const [oldKey, old] of live) {
      if (old === entry || (live.size <= limits.liveSessions && chars <= limits.liveChars)) break
      if (old.session.users > 0) continue
      live.delete(oldKey)
      unlist(old)
      chars -= old.chars
    }
  }

  const guess = (tenant: string, body: string): Exchange | undefined => {
    const sessions = byOpening.get(openingOf(tenant, body))
    if (!sessions) return undefined
    const newest = [...sessions].slice(-guesses).toReversed()
    const continued = newest.find(({ received }) => received !== undefined && continues(body, received.wire.body))
    return (continued ?? newest[0])?.received
  }

  return { open, guess, touch }
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

function charsOf({ received, restored }: LiveSession): number {
  const own = received?.wire.body.length ?? 0
  return restored === undefined || restored.wire.body === received?.wire.body ? own : own + restored.wire.body.length
}

function keyOf({ tenant, session, lane = '' }: Scope): string {
  return JSON.stringify([tenant, session, lane])
}
