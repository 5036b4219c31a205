import type { Store } from '../stores/index.ts'

/** Has earlier sessions of a tenant saved something, in input-token prices, so that others may borrow that. */
export function savedBefore(store: Store, tenant: string, saved = 1e6): Promise<void> {
  const tenantAccount = {
    model: 'earlier',
    sessions: 2,
    requests: 20,
    passThrough: 10 * saved,
    saved,
    lent: 0,
    fetched: 0,
  }
  return store.commit({
    scope: { tenant, session: 'earlier' },
    nowMs: 0,
    writes: [{ table: 'results', account: tenantAccount }],
  })
}
