import { grouped } from '../../core/index.ts'
import { scopeKey } from '../scope-key.ts'
import { addedCost, noCost } from '../session-cost.ts'
import type {
  Commit,
  FoundNames,
  HandleScope,
  Original,
  Scope,
  SessionCost,
  SessionQuery,
  SessionState,
  SessionSummary,
} from '../store.ts'
import { noState } from '../store.ts'

/** What is kept of one lane of a session. */
export interface MemorySession {
  readonly scope: Scope
  state: SessionState
  usedMs: number
  cost: SessionCost
  readonly originals: Map<string, Original>
}

export interface MemorySessions {
  get(scope: Scope): MemorySession | undefined
  /** Takes over what a commit says of the session. */
  apply(commit: Commit): void
  /** Adds to what a session has cost. */
  spend(key: string, cost: SessionCost): void
  /** Those last used first, all lanes of a name together. */
  list(tenant: string, query: SessionQuery): readonly SessionSummary[]
  /** Newest first. */
  lanes(tenant: string, session: string, beginning?: string): readonly string[]
  /** Those with the text in their name, and handles that begin so. */
  find(tenant: string, text: string, limit: number): Omit<FoundNames, 'receipts'>
  /** In the session, or in any of the tenant's. */
  original(scope: HandleScope, handle: string): Original | undefined
  /** In all lanes of the session, each handle once. */
  originals(scope: Scope): readonly Original[]
  /** Lets go of the sessions that were not used since; gives their keys. */
  dropIdle(sinceMs: (tenant: string) => number): ReadonlySet<string>
}

function nameOf({ tenant, session }: Scope): string {
  return scopeKey({ tenant, session })
}

export function memorySessions(): MemorySessions {
  const sessions = new Map<string, MemorySession>()
  /** The lanes of each name. */
  const named = new Map<string, Set<MemorySession>>()

  const opened = (scope: Scope, nowMs: number): MemorySession => {
    const key = scopeKey(scope)
    const known = sessions.get(key)
    if (known) return known
    const session: MemorySession = { scope, state: noState, usedMs: nowMs, cost: noCost, originals: new Map() }
    sessions.set(key, session)
    named.set(nameOf(scope), (named.get(nameOf(scope)) ?? new Set()).add(session))
    return session
  }

  const forget = (key: string): void => {
    const session = sessions.get(key)
    if (!session) return
    const lanes = named.get(nameOf(session.scope))
    lanes?.delete(session)
    if (lanes?.size === 0) named.delete(nameOf(session.scope))
    sessions.delete(key)
  }

  return {
    get: (scope) => sessions.get(scopeKey(scope)),
    apply(commit) {
      const session = opened(commit.scope, commit.nowMs)
      session.usedMs = commit.nowMs
      session.state = nextState(session.state, commit)
      keep(session, commit.originals)
    },
    spend(key, cost) {
      const session = sessions.get(key)
      if (session) session.cost = addedCost(session.cost, cost)
    },
    list: (tenant, query) => {
      const { session } = query
      const asked = session === undefined ? [...named.values()] : [named.get(nameOf({ tenant, session })) ?? []]
      return page(asked, tenant, query)
    },
    lanes: (tenant, session, beginning = '') => namesOf(named.get(nameOf({ tenant, session })) ?? [], beginning),
    find: (tenant, text, limit) =>
      foundIn(
        [...sessions.values()].filter(({ scope }) => scope.tenant === tenant),
        text,
        limit,
      ),
    original({ tenant, session }, handle) {
      const lanes =
        session === undefined
          ? [...sessions.values()].filter(({ scope }) => scope.tenant === tenant)
          : [...(named.get(nameOf({ tenant, session })) ?? [])]
      return lanes.find(({ originals }) => originals.has(handle))?.originals.get(handle)
    },
    originals: (scope) => originalsIn([...(named.get(nameOf(scope)) ?? [])]),
    dropIdle(sinceMs) {
      const idle = [...sessions].filter(([, { usedMs, scope }]) => usedMs < sinceMs(scope.tenant)).map(([key]) => key)
      for (const key of idle) forget(key)
      return new Set(idle)
    },
  }
}

/** As they were first left out. */
function keep({ originals }: MemorySession, added: readonly Original[] = []): void {
  for (const original of added) if (!originals.has(original.handle)) originals.set(original.handle, original)
}

function originalsIn(lanes: readonly MemorySession[]): readonly Original[] {
  return [...new Map(lanes.flatMap(({ originals }) => [...originals])).values()]
}

type Lanes = Iterable<MemorySession>

function page(sessions: readonly Lanes[], tenant: string, { limit, after }: SessionQuery): readonly SessionSummary[] {
  return sessions
    .map((lanes) => [...lanes])
    .filter(([lane]) => lane?.scope.tenant === tenant)
    .map(summaryOf)
    .filter((one) => after === undefined || lastUsedFirst(after, one) < 0)
    .toSorted(lastUsedFirst)
    .slice(0, limit)
}

function namesOf(lanes: Lanes, beginning: string): readonly string[] {
  return [...lanes]
    .toSorted((a, b) => b.usedMs - a.usedMs)
    .map(({ scope }) => scope.lane ?? '')
    .filter((lane) => lane.startsWith(beginning))
}

function foundIn(all: readonly MemorySession[], text: string, limit: number): Omit<FoundNames, 'receipts'> {
  const named = all.filter(({ scope }) => scope.session.includes(text))
  const handles = new Map<string, FoundNames['handles'][number]>()
  for (const { scope, originals } of all)
    for (const handle of originals.keys())
      if (handle.startsWith(text)) handles.set(`${handle} ${scope.session}`, { handle, session: scope.session })
  return {
    sessions: [...grouped(named, ({ scope }) => scope.session).values()]
      .map(summaryOf)
      .map(({ session, usedMs }) => ({ session, usedMs }))
      .toSorted((a, b) => b.usedMs - a.usedMs || (a.session < b.session ? -1 : 1))
      .slice(0, limit),
    handles: [...handles.entries()]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, handle]) => handle)
      .slice(0, limit),
  }
}

function lastUsedFirst(a: Pick<SessionSummary, 'session' | 'usedMs'>, b: typeof a): number {
  return b.usedMs - a.usedMs || (a.session === b.session ? 0 : a.session > b.session ? -1 : 1)
}

function summaryOf(lanes: readonly MemorySession[]): SessionSummary {
  return {
    session: lanes[0]?.scope.session ?? '',
    usedMs: Math.max(...lanes.map(({ usedMs }) => usedMs)),
    cost: lanes.map(({ cost }) => cost).reduce(addedCost),
  }
}

function nextState({ version, ledger: before, ...state }: SessionState, commit: Commit): SessionState {
  const ledger = commit.ledger === undefined ? before : commit.ledger
  return {
    version: version + 1,
    ...(ledger && { ledger }),
    offeredTools: commit.offeredTools ?? state.offeredTools,
    // A record stands in no lane of a conversation, and is read as one.
    overlay: (commit.overlay as SessionState['overlay'] | undefined) ?? state.overlay,
  }
}
