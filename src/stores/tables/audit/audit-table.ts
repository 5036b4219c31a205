import type { Table } from '../../kernel/table.ts'
import { auditColumns, auditRow } from './audit-rows.ts'
import type { AuditTypes } from './audit-entry.ts'
import { memoryAudit } from './memory-audit.ts'
import { postgresAudit } from './postgres-audit.ts'
import { sqliteAudit } from './sqlite-audit.ts'

/**
 * The audit log: entries are only added. Those of a tenant are a chain of their own, each with the hash of the one before, so that a tenant
 * can check its own entries and sees nothing of others. An entry is chained inside the transaction that makes the change.
 */
export const auditTable: Table<'audit', AuditTypes> = {
  name: 'audit',
  changesSession: false,
  reads: { list: ({ tenant }) => (tenant === undefined ? undefined : { tenant, session: '' }) },
  encode: auditRow,
  memory: memoryAudit,
  sqlite: {
    migrations: [
      `CREATE TABLE audit (tenant TEXT NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
        target TEXT NOT NULL, came_from TEXT NOT NULL, before_hash TEXT, after_hash TEXT, previous_hash TEXT NOT NULL,
        hash TEXT NOT NULL, PRIMARY KEY (tenant, seq)) WITHOUT ROWID;
       CREATE INDEX audit_by_time ON audit (at_ms, tenant, seq);`,
    ],
    open: sqliteAudit,
  },
  postgres: postgresAudit,
  relations: [{ name: 'audit', columns: auditColumns.split(', '), key: ['tenant', 'seq'], of: 'tenant' }],
}
