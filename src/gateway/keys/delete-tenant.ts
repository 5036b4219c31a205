import { invalidInput } from '../../core/index.ts'
import { blobOwner, extensionTenant } from '../../sessions/index.ts'
import { installation } from '../../stores/index.ts'
import type { Blobs, Ledgers, Store } from '../../stores/index.ts'
import type { ChangedBy } from './change-keys.ts'
import { newStamp } from './tenant-stamp.ts'

/** What the deletion of a tenant needs. */
export interface TenantHost {
  readonly store: Store
  readonly blobs: Pick<Blobs, 'dropTenant'>
  /** Where its budgets are counted. */
  readonly ledgers: Pick<Ledgers, 'dropLedger'>
  /** Names of extensions, which keep blobs of their own for each tenant. */
  readonly extensions: readonly string[]
  readonly clock: () => number
  /** Lets every process forget what it holds of the tenant. */
  readonly forget: (tenant: string) => Promise<void>
}

/** Rows that were removed, by table. */
export type DeletedRows = Readonly<Record<string, number>>

/**
 * Removes all that is kept of a tenant: rows, blobs, the ledger of its budgets, keys and its audit log. The audit log of the installation says first who has asked for
 * it. What was interrupted can be asked for again.
 */
export async function deleteTenant(host: TenantHost, tenant: string, by: ChangedBy): Promise<DeletedRows> {
  const { store, blobs, ledgers, extensions, clock, forget } = host
  if (tenant === '') throw invalidInput('tenant', 'is empty', 'Name the tenant who is to be deleted.')
  const entry = { table: 'audit', action: 'tenant.delete', target: tenant, ...by } as const
  await store.commit({ scope: installation, nowMs: clock(), writes: [entry] })
  await forget(tenant)
  const rows = await store.dropTenant(tenant)
  for (const owner of [tenant, blobOwner(tenant), ...extensions.map((name) => extensionTenant(name, tenant))])
    await blobs.dropTenant(owner)
  await ledgers.dropLedger(tenant)
  await store.commit({ scope: installation, nowMs: clock(), writes: [newStamp()] })
  // What a request under way has read meanwhile.
  await forget(tenant)
  return rows
}
