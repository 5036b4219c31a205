/** How long things are kept. A session takes its receipts, originals and overlay with it. */
export interface Retention {
  readonly sessionIdleMs: number
  readonly receiptAgeMs: number
  /** Of each tenant. The oldest go first, so the traffic of one tenant removes no receipt of another. */
  readonly maxReceipts: number
  /** Entries of the audit log that are older go. They are all kept by default. */
  readonly auditAgeMs?: number
  /** Artifacts that are older go, by their class, unless they are on hold. Those of a class that is left out stay. */
  readonly artifactAgesMs?: { readonly [Class in 'evidence' | 'manifest' | 'raw']?: number }
  /** Of what less is kept, by tenant. */
  readonly tenants?: Readonly<Record<string, TenantRetention>>
}

export type TenantRetention = Pick<Retention, 'sessionIdleMs' | 'receiptAgeMs'>

/** Rows that were removed, by table; tables that lost none are left out. `sessions` counts lanes. */
export type Pruned = Readonly<Record<string, number>>

const day = 24 * 60 * 60 * 1000

export const defaultRetention: Retention = {
  sessionIdleMs: 30 * day,
  receiptAgeMs: 7 * day,
  maxReceipts: 100_000,
  artifactAgesMs: { evidence: 90 * day, manifest: 90 * day, raw: 30 * day },
}

/** What holds for a tenant. */
export function retentionOf(retention: Retention, tenant: string): TenantRetention {
  const { tenants } = retention
  return (tenants && Object.hasOwn(tenants, tenant) ? tenants[tenant] : undefined) ?? retention
}

export function addedPruned(one: Pruned, other: Pruned): Pruned {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const sums = [...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)] as const)
  return Object.fromEntries(sums.filter(([, rows]) => rows > 0))
}
