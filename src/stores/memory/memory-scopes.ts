import { scopeKey } from '../kernel/scope-key.ts'
import type { Scope } from '../kernel/scope.ts'
import type { MemoryKernel, MemoryScope } from '../kernel/table.ts'

/** The sessions of a store in memory, and their lanes. */
export interface MemoryScopes extends Pick<MemoryKernel, 'find' | 'lanes' | 'sessions' | 'tenants'> {
  /** Makes the lane where there is none, raises its version and marks it as used. */
  change(scope: Scope, nowMs: number): MemoryScope
  /** Makes a lane as it was elsewhere. */
  restore(lane: MemoryScope): MemoryScope
  /** Removes the lanes of a tenant; gives them. */
  dropTenant(tenant: string): ReadonlySet<MemoryScope>
  /** Removes the lanes that were not used since; gives them. */
  dropIdle(sinceMs: (tenant: string) => number): ReadonlySet<MemoryScope>
}

export function memoryScopes(): MemoryScopes {
  const lanes = new Map<string, MemoryScope>()
  const sessions = new Map<string, Set<MemoryScope>>()

  const made = (scope: Scope, nowMs: number): MemoryScope => {
    const lane: MemoryScope = { scope, version: 0, usedMs: nowMs }
    lanes.set(scopeKey(scope), lane)
    const key = sessionKey(scope)
    sessions.set(key, (sessions.get(key) ?? new Set()).add(lane))
    return lane
  }

  const drop = (lane: MemoryScope): void => {
    const key = sessionKey(lane.scope)
    const others = sessions.get(key)
    others?.delete(lane)
    if (others?.size === 0) sessions.delete(key)
    lanes.delete(scopeKey(lane.scope))
  }

  return {
    find: (scope) => lanes.get(scopeKey(scope)),
    lanes: (tenant, session) => [...(sessions.get(sessionKey({ tenant, session })) ?? [])],
    sessions: (tenant) =>
      [...sessions.values()].map((of) => [...of]).filter(([first]) => first?.scope.tenant === tenant),
    tenants: () => [...new Set([...lanes.values()].map(({ scope }) => scope.tenant))].toSorted(),
    restore: ({ scope, version, usedMs }) => Object.assign(made(scope, usedMs), { version }),
    dropTenant(tenant) {
      const gone = [...lanes.values()].filter(({ scope }) => scope.tenant === tenant)
      for (const lane of gone) drop(lane)
      return new Set(gone)
    },
    change(scope, nowMs) {
      const lane = lanes.get(scopeKey(scope)) ?? made(scope, nowMs)
      lane.version += 1
      lane.usedMs = nowMs
      return lane
    },
    dropIdle(sinceMs) {
      const idle = [...lanes.values()].filter(({ usedMs, scope }) => usedMs < sinceMs(scope.tenant))
      for (const lane of idle) drop(lane)
      return new Set(idle)
    },
  }
}

function sessionKey({ tenant, session }: Pick<Scope, 'tenant' | 'session'>): string {
  return scopeKey({ tenant, session })
}
