import type { MemoryKernel, MemoryScope } from '../../kernel/table.ts'
import { addedCost, noCost } from './session-cost.ts'
import type { SessionCost, SessionQuery, SessionSummary } from './session-cost.ts'

/** What sessions came to, in memory. */
export interface MemoryCosts {
  add(lane: MemoryScope, cost: SessionCost): void
  sessions(tenant: string, query: SessionQuery): readonly SessionSummary[]
}

export function memoryCosts(kernel: MemoryKernel): MemoryCosts {
  const costs = new WeakMap<MemoryScope, SessionCost>()
  const summaryOf = (lanes: readonly MemoryScope[]): SessionSummary => ({
    session: lanes[0]?.scope.session ?? '',
    usedMs: Math.max(...lanes.map(({ usedMs }) => usedMs)),
    cost: lanes.map((lane) => costs.get(lane) ?? noCost).reduce(addedCost),
  })
  return {
    add: (lane, cost) => void costs.set(lane, addedCost(costs.get(lane) ?? noCost, cost)),
    sessions(tenant, { session, after, limit }) {
      const asked = session === undefined ? kernel.sessions(tenant) : [kernel.lanes(tenant, session)]
      return asked
        .filter(({ length }) => length > 0)
        .map(summaryOf)
        .filter((one) => after === undefined || lastUsedFirst(after, one) < 0)
        .toSorted(lastUsedFirst)
        .slice(0, limit)
    },
  }
}

type Used = Pick<SessionSummary, 'session' | 'usedMs'>

function lastUsedFirst(a: Used, b: Used): number {
  return b.usedMs - a.usedMs || (a.session === b.session ? 0 : a.session > b.session ? -1 : 1)
}
