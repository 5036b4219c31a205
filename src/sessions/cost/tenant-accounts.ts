import { addedAccount, accountRow, noAccount } from '../../stores/index.ts'
import type { Store, TenantAccountChange, TenantAccountRow } from '../../stores/index.ts'
import { timely } from '../within-deadline.ts'

/** The accounts of the tenants in use, as far as this thread knows them. The store has them, and checks what a decision was made by. */
export interface TenantAccounts {
  /** What is known of a tenant; nothing where the store could not be read. */
  rows(tenant: string): readonly TenantAccountRow[]
  /** Asks the store, in the background where something is known. Gives a promise where it has to be waited for; that never rejects. */
  load(tenant: string): Promise<void> | undefined
  /** Adds what was committed. */
  add(tenant: string, change: TenantAccountChange): void
  /**
   * Others have changed it: the store is asked again before the next decision. Who decides meanwhile goes by what was known, which the store
   * compares; by nothing, a tenant would look like one that has saved nothing and may borrow.
   */
  doubt(tenant: string): void
}

export interface TenantAccountsOptions {
  readonly store: Pick<Store, 'read'>
  readonly stopwatch: () => number
  readonly stageMs: number
  readonly mostTenants: number
}

interface Known {
  readonly rows: readonly TenantAccountRow[]
  /** When the store was asked. */
  readonly atMs: number
  readonly isDoubted?: true
}

/** Other threads and gateways serve the same tenants. */
const freshMs = 5000

export function tenantAccounts({ store, stopwatch, stageMs, mostTenants }: TenantAccountsOptions): TenantAccounts {
  const known = new Map<string, Known>()
  const loading = new Map<string, Promise<void>>()

  const put = (tenant: string, now: Known): void => {
    known.delete(tenant)
    known.set(tenant, now)
    const [oldest] = known.keys()
    if (known.size > mostTenants && oldest !== undefined) known.delete(oldest)
  }

  const ask = async (tenant: string): Promise<void> => {
    const atMs = stopwatch()
    const asked = await timely(store.read('results').tenantAccount(tenant), stageMs)
    if (asked.kind === 'done') put(tenant, { rows: asked.value, atMs })
    loading.delete(tenant)
  }

  return {
    rows: (tenant) => known.get(tenant)?.rows ?? [],
    load(tenant) {
      const before = known.get(tenant)
      const mayStand = before !== undefined && before.isDoubted !== true
      if (mayStand && stopwatch() - before.atMs < freshMs) return undefined
      const load = loading.get(tenant) ?? ask(tenant)
      loading.set(tenant, load)
      return mayStand ? undefined : load
    },
    add(tenant, change) {
      const before = known.get(tenant)
      if (before === undefined) return
      const row = accountRow(before.rows, change.model) ?? noAccount(change.model)
      const others = before.rows.filter(({ model }) => model !== row.model)
      put(tenant, { ...before, rows: [...others, addedAccount(row, change)] })
    },
    doubt(tenant) {
      const before = known.get(tenant)
      if (before) known.set(tenant, { ...before, isDoubted: true })
    },
  }
}
