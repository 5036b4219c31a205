import type { Commit, Original, Scope, SessionState } from '../store.ts'
import { noState } from '../store.ts'

/** What is kept of one lane of a session. */
export interface MemorySession {
  readonly scope: Scope
  state: SessionState
  usedMs: number
  readonly originals: Map<string, Original>
}

export interface MemorySessions {
  find(scope: Scope): MemorySession | undefined
  /** Takes over what a commit says of the session. */
  apply(commit: Commit): void
  /** Newest first. */
  lanes(tenant: string, session: string): readonly string[]
  /** In the session, else in the tenant's others. */
  original(scope: Scope, handle: string): Original | undefined
  /** Lets go of the sessions that were not used since; gives their keys. */
  dropIdle(sinceMs: number): ReadonlySet<string>
}

export function keyOf({ tenant, session, lane = '' }: Scope): string {
  return JSON.stringify([tenant, session, lane])
}

export function memorySessions(): MemorySessions {
  const sessions = new Map<string, MemorySession>()

  const opened = (scope: Scope, nowMs: number): MemorySession => {
    const key = keyOf(scope)
    const session = sessions.get(key) ?? { scope, state: noState, usedMs: nowMs, originals: new Map() }
    sessions.set(key, session)
    return session
  }

  return {
    find: (scope) => sessions.get(keyOf(scope)),
    apply(commit) {
      const session = opened(commit.scope, commit.nowMs)
      session.usedMs = commit.nowMs
      session.state = nextState(session.state, commit)
      for (const original of commit.originals ?? []) session.originals.set(original.handle, original)
    },
    lanes: (tenant, name) =>
      [...sessions.values()]
        .filter(({ scope }) => scope.tenant === tenant && scope.session === name)
        .toSorted((a, b) => b.usedMs - a.usedMs)
        .map(({ scope }) => scope.lane ?? ''),
    original(scope, handle) {
      const others = [...sessions.values()].filter((session) => session.scope.tenant === scope.tenant)
      const holder = [sessions.get(keyOf(scope)), ...others].find((session) => session?.originals.has(handle))
      return holder?.originals.get(handle)
    },
    dropIdle(sinceMs) {
      const idle = [...sessions].filter(([, { usedMs }]) => usedMs < sinceMs).map(([key]) => key)
      for (const key of idle) sessions.delete(key)
      return new Set(idle)
    },
  }
}

function nextState({ version, ledger: before, ...state }: SessionState, commit: Commit): SessionState {
  const ledger = commit.ledger === undefined ? before : commit.ledger
  return {
    version: version + 1,
    ...(ledger && { ledger }),
    offeredTools: commit.offeredTools ?? state.offeredTools,
    overlay: commit.overlay ?? state.overlay,
  }
}
