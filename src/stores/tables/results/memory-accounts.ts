import type { MemoryPortable } from '../../kernel/table.ts'
import { keptModel } from './statistics/rollups.ts'
import { tenantAccountIn } from './tenant-account-rows.ts'
import { accountModel, addedAccount, creditOf, mayChange, noAccount } from './tenant-account.ts'
import type { TenantAccountChange, TenantAccountRow } from './tenant-account.ts'

/** What the sessions of tenants came to, in memory. */
export interface MemoryAccounts {
  readonly portable: MemoryPortable
  allows(tenant: string, change: TenantAccountChange): boolean
  add(tenant: string, change: TenantAccountChange): void
  rows(tenant: string): readonly TenantAccountRow[]
}

export function memoryAccounts(): MemoryAccounts {
  const tenants = new Map<string, Map<string, TenantAccountRow>>()
  const rowsOf = (tenant: string): readonly TenantAccountRow[] => [...(tenants.get(tenant)?.values() ?? [])]
  return {
    portable: {
      *rows({ tenant: asked }) {
        for (const [tenant, rows] of tenants)
          if (asked === undefined || asked === tenant)
            for (const { model, sessions, requests, passThrough, saved, lent, fetched } of rows.values())
              yield {
                relation: 'tenant_accounts',
                cells: [tenant, model, sessions, requests, passThrough, saved, lent, fetched],
              }
      },
      put({ cells: [tenant, model, sessions, requests, pass_through, saved, lent, fetched] }) {
        const row = tenantAccountIn({ model, sessions, requests, pass_through, saved, lent, fetched })
        tenants.set(
          String(tenant),
          (tenants.get(String(tenant)) ?? new Map<string, TenantAccountRow>()).set(row.model, row),
        )
      },
      drop(tenant) {
        const rows = tenants.get(tenant)?.size ?? 0
        tenants.delete(tenant)
        return rows
      },
    },
    allows: (tenant, change) => mayChange(creditOf(rowsOf(tenant)), change),
    add(tenant, change) {
      const rows = tenants.get(tenant) ?? new Map<string, TenantAccountRow>()
      tenants.set(tenant, rows)
      const model = accountModel(change.model, { known: rows.has(keptModel(change.model)), rows: rows.size })
      rows.set(model, addedAccount(rows.get(model) ?? noAccount(model), change))
    },
    rows: (tenant) => rowsOf(tenant).toSorted((a, b) => (a.model < b.model ? -1 : 1)),
  }
}
