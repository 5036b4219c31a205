import type { DatabaseSync } from 'node:sqlite'
import { keptModel } from './statistics/rollups.ts'
import { accountModel, addedAccount, creditOf, mayChange, noAccount } from './tenant-account.ts'
import type { TenantAccountChange, TenantAccountRow } from './tenant-account.ts'

/** What the sessions of tenants came to: a row for each tenant and model. */
export interface TenantAccountTable {
  /** Whether a change may be written now; to be asked within the transaction that adds it. */
  allows(tenant: string, change: TenantAccountChange): boolean
  add(tenant: string, change: TenantAccountChange): void
  rows(tenant: string): readonly TenantAccountRow[]
}

export function tenantAccountTable(db: DatabaseSync): TenantAccountTable {
  const all = db.prepare('SELECT * FROM tenant_accounts WHERE tenant = ? ORDER BY model')
  const one = db.prepare('SELECT * FROM tenant_accounts WHERE tenant = ? AND model = ?')
  const count = db.prepare('SELECT count(*) AS models FROM tenant_accounts WHERE tenant = ?')
  const write = db.prepare(
    `INSERT OR REPLACE INTO tenant_accounts (tenant, model, sessions, requests, pass_through, saved, lent, fetched)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const rows = (tenant: string): readonly TenantAccountRow[] => all.all(tenant).map(tenantAccountIn)
  const find = (tenant: string, model: string): TenantAccountRow | undefined => {
    const found = one.get(tenant, model)
    return found && tenantAccountIn(found)
  }
  return {
    rows,
    allows: (tenant, change) => change.knownCredit === undefined || mayChange(creditOf(rows(tenant)), change),
    add(tenant, change) {
      const known = find(tenant, keptModel(change.model))
      const models = known ? 0 : Number(count.get(tenant)?.['models'])
      const model = accountModel(change.model, { known: known !== undefined, rows: models })
      const before = known ?? find(tenant, model) ?? noAccount(model)
      const { sessions, requests, passThrough, saved, lent, fetched } = addedAccount(before, change)
      write.run(tenant, model, sessions, requests, passThrough, saved, lent, fetched)
    },
  }
}

/** A row of the table, by the names of its columns. */
export function tenantAccountIn(row: Readonly<Record<string, unknown>>): TenantAccountRow {
  return {
    model: String(row['model']),
    sessions: Number(row['sessions']),
    requests: Number(row['requests']),
    passThrough: Number(row['pass_through']),
    saved: Number(row['saved']),
    lent: Number(row['lent']),
    fetched: Number(row['fetched']),
  }
}
