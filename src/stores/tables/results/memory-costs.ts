import type { MemoryKernel, MemoryPortable, MemoryScope } from '../../kernel/table.ts'
import { costColumns, costIn, costMembers } from './cost-columns.ts'
import { addedCost, noCost } from './session-cost.ts'
import type { SessionCost, SessionQuery, SessionSummary } from './session-cost.ts'

/** What sessions came to, in memory. */
export interface MemoryCosts {
  readonly portable: MemoryPortable
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
    portable: {
      *rows({ lanes }) {
        for (const { lane, number } of lanes) {
          const cost = costs.get(lane)
          if (cost) yield { relation: 'costs', cells: [number, ...costMembers.map((name) => cost[name])] }
        }
      },
      put({ cells: [number, ...sums] }, { lane }) {
        costs.set(lane(number), costIn(Object.fromEntries(costColumns.map((name, at) => [name, sums[at]]))))
      },
    },
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
