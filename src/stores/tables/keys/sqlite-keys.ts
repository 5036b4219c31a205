import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { SqliteRows } from '../../kernel/table.ts'
import { keyColumns, keyIn } from './key-rows.ts'
import type { KeyTypes } from './virtual-key.ts'

export function sqliteKeys({ db }: SqliteKernel): SqliteRows<KeyTypes> {
  const taken = db.prepare('SELECT 1 FROM keys WHERE (tenant = ? AND id = ?) OR hash = ?')
  const stands = db.prepare('SELECT 1 FROM keys WHERE tenant = ? AND id = ? AND hash = ? AND revision = ?')
  const add = db.prepare('INSERT INTO keys (tenant, id, hash, created_ms, revision, value) VALUES (?, ?, ?, ?, ?, ?)')
  const change = db.prepare('UPDATE keys SET revision = ?, value = ? WHERE tenant = ? AND id = ?')
  const use = db.prepare('UPDATE keys SET used_ms = max(coalesce(used_ms, 0), ?) WHERE tenant = ? AND id = ?')
  const byHash = db.prepare(`SELECT ${keyColumns} FROM keys WHERE hash = ?`)
  const byId = db.prepare(`SELECT ${keyColumns} FROM keys WHERE tenant = ? AND id = ?`)
  const page = 'AND (created_ms, id) < (?, ?) ORDER BY created_ms DESC, id DESC LIMIT ?'
  const listAll = db.prepare(`SELECT ${keyColumns} FROM keys WHERE 1 ${page}`)
  const listOf = db.prepare(`SELECT ${keyColumns} FROM keys WHERE tenant = ? ${page}`)
  const tenants = db.prepare('SELECT DISTINCT tenant FROM keys ORDER BY tenant')

  return {
    allows([id, hash, , revision], { scope: { tenant } }) {
      if (revision === undefined) return true
      if (Number(revision) === 1) return taken.get(tenant, String(id), String(hash)) === undefined
      return stands.get(tenant, String(id), String(hash), Number(revision) - 1) !== undefined
    },
    apply([id, hash, createdMs, revision, value], { scope: { tenant }, nowMs }) {
      if (revision === undefined) use.run(nowMs, tenant, String(id))
      else if (Number(revision) > 1) change.run(Number(revision), String(value), tenant, String(id))
      else add.run(tenant, String(id), String(hash), Number(createdMs), 1, String(value))
    },
    reads: {
      byHash: (hash) => found(byHash.get(hash)),
      get: (tenant, id) => found(byId.get(tenant, id)),
      list({ tenant, limit, after }) {
        const { createdMs, id } = after ?? { createdMs: Number.MAX_SAFE_INTEGER, id: '' }
        const rows = tenant === undefined ? listAll.all(createdMs, id, limit) : listOf.all(tenant, createdMs, id, limit)
        return rows.map(keyIn)
      },
      tenants: () => tenants.all().map((row) => String(row['tenant'])),
    },
  }
}

function found(row: Readonly<Record<string, unknown>> | undefined) {
  return row && keyIn(row)
}
