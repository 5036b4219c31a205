import type { PostgresTable } from '../../kernel/table.ts'
import { keyColumns, keyIn } from './key-rows.ts'
import type { KeyTypes } from './virtual-key.ts'

export const postgresKeys: PostgresTable<KeyTypes> = {
  migrations: [
    `CREATE TABLE keys (tenant text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, hash text COLLATE "C" NOT NULL UNIQUE,
      created_ms double precision NOT NULL, revision integer NOT NULL, value text NOT NULL, used_ms double precision,
      PRIMARY KEY (tenant, id));
     CREATE INDEX keys_by_age ON keys (created_ms, id);
     CREATE INDEX keys_of_tenant_by_age ON keys (tenant, created_ms, id);`,
  ],
  // The stored revision decides whether the next one may be written. A hash is random, and unique in the database.
  locks: ([id, , , revision], { scope: { tenant } }) =>
    revision === undefined ? [] : [`keys ${tenant.length} ${tenant} ${id}`],
  async allows(on, [id, hash, , revision], { scope: { tenant } }) {
    if (revision === undefined) return true
    const sql = 'SELECT tenant, id, hash, revision FROM keys WHERE (tenant = $1 AND id = $2) OR hash = $3'
    const rows = await on.all(sql, tenant, id, hash)
    if (Number(revision) === 1) return rows.length === 0
    const [row] = rows
    return rows.length === 1 && row?.['hash'] === hash && Number(row?.['revision']) === Number(revision) - 1
  },
  apply(on, [id, hash, createdMs, revision, value], { scope: { tenant }, nowMs }) {
    if (revision === undefined) {
      const used = 'UPDATE keys SET used_ms = greatest(coalesce(used_ms, 0), $1) WHERE tenant = $2 AND id = $3'
      on.send(used, nowMs, tenant, id)
    } else if (Number(revision) > 1) {
      on.send('UPDATE keys SET revision = $1, value = $2 WHERE tenant = $3 AND id = $4', revision, value, tenant, id)
    } else {
      const columns = '(tenant, id, hash, created_ms, revision, value)'
      on.send(`INSERT INTO keys ${columns} VALUES ($1, $2, $3, $4, 1, $5)`, tenant, id, hash, createdMs, value)
    }
  },
  reads: (on) => ({
    async byHash(hash) {
      const [row] = await on.all(`SELECT ${keyColumns} FROM keys WHERE hash = $1`, hash)
      return row && keyIn(row)
    },
    async get(tenant, id) {
      const [row] = await on.all(`SELECT ${keyColumns} FROM keys WHERE tenant = $1 AND id = $2`, tenant, id)
      return row && keyIn(row)
    },
    async list({ tenant, limit, after }) {
      const { createdMs, id } = after ?? { createdMs: Number.MAX_SAFE_INTEGER, id: '' }
      const rows = await on.all(
        `SELECT ${keyColumns} FROM keys WHERE (created_ms, id) < ($1, $2) AND ($4::text IS NULL OR tenant = $4)
         ORDER BY created_ms DESC, id DESC LIMIT $3`,
        createdMs,
        id,
        limit,
        tenant,
      )
      return rows.map(keyIn)
    },
    async tenants() {
      const rows = await on.all('SELECT DISTINCT tenant FROM keys ORDER BY tenant')
      return rows.map((row) => String(row['tenant']))
    },
  }),
}
