import type { PostgresTable, PostgresValue } from '../../kernel/table.ts'
import { nextEntry } from './audit-chain.ts'
import type { AuditOrder, AuditPlace, AuditTypes } from './audit-entry.ts'
import { auditColumns, auditIn, auditValues, changeIn } from './audit-rows.ts'

/** Entries removed in one transaction. */
const rowsAtOnce = 500

interface Listed {
  readonly behind: string
  readonly by: string
  readonly place: (after: AuditPlace | undefined) => readonly PostgresValue[]
}

const listed: Readonly<Record<AuditOrder, Listed>> = {
  newest: {
    behind: '($3::double precision IS NULL OR (at_ms, tenant, seq) < ($3, $4, $5))',
    by: 'at_ms DESC, tenant DESC, seq DESC',
    place: (after) => [after?.atMs, after?.tenant, after?.seq],
  },
  chain: {
    behind: '($3::text IS NULL OR (tenant, seq) > ($3, $4))',
    by: 'tenant, seq',
    place: (after) => [after?.tenant, after?.seq],
  },
}

export const postgresAudit: PostgresTable<AuditTypes> = {
  migrations: [
    `CREATE TABLE audit (tenant text COLLATE "C" NOT NULL, seq bigint NOT NULL, at_ms double precision NOT NULL, actor text NOT NULL,
      action text NOT NULL, target text NOT NULL, came_from text NOT NULL, before_hash text, after_hash text,
      previous_hash text NOT NULL, hash text NOT NULL, PRIMARY KEY (tenant, seq));
     CREATE INDEX audit_by_time ON audit (at_ms, tenant, seq);`,
  ],
  // An entry names the hash of the one before: one transaction at a time adds to a chain.
  locks: (_row, { scope: { tenant } }) => [`audit ${tenant}`],
  async apply(on, row, { scope: { tenant }, nowMs }) {
    const [end] = await on.all('SELECT seq, hash FROM audit WHERE tenant = $1 ORDER BY seq DESC LIMIT 1', tenant)
    const known = end && { seq: Number(end['seq']), hash: String(end['hash']) }
    const entry = nextEntry(known, { tenant, atMs: nowMs, change: changeIn(row) })
    const sql = `INSERT INTO audit (${auditColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
    on.send(sql, ...auditValues(entry))
  },
  reads: (on) => ({
    async list({ tenant, order, limit, after }) {
      const { behind, by, place } = listed[order]
      const rows = await on.all(
        `SELECT ${auditColumns} FROM audit WHERE ($2::text IS NULL OR tenant = $2) AND ${behind} ORDER BY ${by} LIMIT $1`,
        limit,
        tenant,
        ...place(after),
      )
      return rows.map(auditIn)
    },
  }),
  async prune(on, nowMs, { auditAgeMs }) {
    if (auditAgeMs === undefined) return { rows: 0, more: false }
    // The last entry of a chain stays: the next one names its hash.
    const rows = await on.run(
      `DELETE FROM audit WHERE (tenant, seq) IN (SELECT tenant, seq FROM audit AS old WHERE seq < coalesce(
         (SELECT min(seq) FROM audit WHERE tenant = old.tenant AND at_ms >= $1),
         (SELECT max(seq) FROM audit WHERE tenant = old.tenant)) ORDER BY tenant, seq LIMIT $2)`,
      nowMs - auditAgeMs,
      rowsAtOnce,
    )
    return { rows, more: rows === rowsAtOnce }
  },
}
