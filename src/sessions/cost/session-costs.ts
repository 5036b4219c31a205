import { addedCost, costOfResult, noCost, scopeKey } from '../../stores/index.ts'
import type { ReceiptResult, Scope, SessionCost, Store } from '../../stores/index.ts'

/** What the sessions in use have cost so far, each in all its lanes; the store knows it of all. */
export interface SessionCosts {
  /** As far as it is known here. */
  of(scope: Scope): SessionCost | undefined
  /** Asks the store, unless it was asked a moment ago. Says whether it was found not to have the session. */
  load(scope: Scope): Promise<boolean>
  /** Adds what was filed. */
  add(scope: Scope, result: ReceiptResult): void
  /** Somebody else may have added to it. */
  forget(scope: Scope): void
}

export interface SessionCostsOptions {
  readonly store: Pick<Store, 'read'>
  readonly stopwatch: () => number
  readonly mostSessions: number
}

interface Known {
  readonly cost: SessionCost
  /** When the store was asked. */
  readonly atMs: number
}

/** Other threads and gateways may have lanes of the same session. */
const freshMs = 5000

export function sessionCosts({ store, stopwatch, mostSessions }: SessionCostsOptions): SessionCosts {
  const known = new Map<string, Known>()
  const loading = new Map<string, { isOutdated: boolean }>()

  const put = (key: string, now: Known): void => {
    known.delete(key)
    known.set(key, now)
    const [oldest] = known.keys()
    if (known.size > mostSessions && oldest !== undefined) known.delete(oldest)
  }

  const outdate = (key: string): void => {
    const load = loading.get(key)
    if (load) load.isOutdated = true
  }

  return {
    of: (scope) => known.get(keyOf(scope))?.cost,
    async load({ tenant, session }) {
      const key = keyOf({ tenant, session })
      const atMs = stopwatch()
      if (loading.has(key) || atMs - (known.get(key)?.atMs ?? -Infinity) < freshMs) return false
      const load = { isOutdated: false }
      loading.set(key, load)
      try {
        const [found] = await store.read('results').sessions(tenant, { limit: 1, session })
        if (!load.isOutdated) put(key, { cost: found?.cost ?? noCost, atMs })
        return found === undefined
      } finally {
        loading.delete(key)
      }
    },
    add(scope, result) {
      const key = keyOf(scope)
      outdate(key)
      const cost = costOfResult(result)
      const before = known.get(key)
      if (before && cost) put(key, { ...before, cost: addedCost(before.cost, cost) })
    },
    forget(scope) {
      const key = keyOf(scope)
      outdate(key)
      known.delete(key)
    },
  }
}

function keyOf({ tenant, session }: Scope): string {
  return scopeKey({ tenant, session })
}
