import type { TenantSize } from './found-names.ts'

/** The same statement in both engines. */
export const tenantSizesSql = `
  SELECT tenant, sum(sessions) AS sessions, sum(receipts) AS receipts FROM (
    SELECT tenant, count(DISTINCT name) AS sessions, 0 AS receipts FROM sessions GROUP BY tenant
    UNION ALL SELECT tenant, 0, count(*) FROM receipts GROUP BY tenant
    UNION ALL SELECT DISTINCT tenant, 0, 0 FROM keys
    UNION ALL SELECT DISTINCT tenant, 0, 0 FROM rollups
    UNION ALL SELECT DISTINCT tenant, 0, 0 FROM audit
  ) AS counted WHERE tenant <> '' GROUP BY tenant ORDER BY tenant`

export function tenantSizeIn(row: Readonly<Record<string, unknown>>): TenantSize {
  return { tenant: String(row['tenant']), sessions: Number(row['sessions']), receipts: Number(row['receipts']) }
}
