import type { PostgresReader, PostgresWriter } from '../../kernel/table.ts'
import { keptModel } from './statistics/rollups.ts'
import { accountModel, addedAccount, noAccount } from './tenant-account.ts'
import type { TenantAccountChange, TenantAccountRow } from './tenant-account.ts'
import { tenantAccountIn } from './tenant-account-rows.ts'

export const accountsTable = `
  CREATE TABLE tenant_accounts (
    tenant text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    sessions double precision NOT NULL,
    requests double precision NOT NULL,
    pass_through double precision NOT NULL,
    saved double precision NOT NULL,
    lent double precision NOT NULL,
    fetched double precision NOT NULL,
    PRIMARY KEY (tenant, model)
  );
`

export async function accountRows(on: PostgresReader, tenant: string): Promise<readonly TenantAccountRow[]> {
  return (await on.all('SELECT * FROM tenant_accounts WHERE tenant = $1 ORDER BY model', tenant)).map(tenantAccountIn)
}

/** Adds to the account of a tenant; the caller holds its lock. */
export async function addToAccount(on: PostgresWriter, tenant: string, change: TenantAccountChange): Promise<void> {
  const rows = await accountRows(on, tenant)
  const find = (model: string): TenantAccountRow | undefined => rows.find((row) => row.model === model)
  const known = find(keptModel(change.model))
  const model = accountModel(change.model, { known: known !== undefined, rows: rows.length })
  const sum = addedAccount(known ?? find(model) ?? noAccount(model), change)
  on.send(
    `INSERT INTO tenant_accounts (tenant, model, sessions, requests, pass_through, saved, lent, fetched)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (tenant, model) DO UPDATE SET sessions = excluded.sessions,
       requests = excluded.requests, pass_through = excluded.pass_through, saved = excluded.saved, lent = excluded.lent,
       fetched = excluded.fetched`,
    tenant,
    model,
    sum.sessions,
    sum.requests,
    sum.passThrough,
    sum.saved,
    sum.lent,
    sum.fetched,
  )
}
