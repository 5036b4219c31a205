import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { PruneStep, SqliteRows } from '../../kernel/table.ts'
import { nextEntry } from './audit-chain.ts'
import type { AuditTypes } from './audit-entry.ts'
import { auditColumns, auditIn, auditValues, changeIn } from './audit-rows.ts'

/** Entries removed in one transaction. */
const rowsAtOnce = 500

export function sqliteAudit({ db }: SqliteKernel): SqliteRows<AuditTypes> {
  const last = db.prepare('SELECT seq, hash FROM audit WHERE tenant = ? ORDER BY seq DESC LIMIT 1')
  const add = db.prepare(`INSERT INTO audit (${auditColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const select = `SELECT ${auditColumns} FROM audit WHERE`
  const byTime = 'ORDER BY at_ms DESC, tenant DESC, seq DESC LIMIT ?'
  const inChain = 'ORDER BY tenant, seq LIMIT ?'
  const lists = {
    newest: {
      all: db.prepare(`${select} 1 ${byTime}`),
      of: db.prepare(`${select} tenant = ? ${byTime}`),
      allAfter: db.prepare(`${select} (at_ms, tenant, seq) < (?, ?, ?) ${byTime}`),
      ofAfter: db.prepare(`${select} tenant = ? AND (at_ms, tenant, seq) < (?, ?, ?) ${byTime}`),
    },
    chain: {
      all: db.prepare(`${select} 1 ${inChain}`),
      of: db.prepare(`${select} tenant = ? ${inChain}`),
      allAfter: db.prepare(`${select} (tenant, seq) > (?, ?) ${inChain}`),
      ofAfter: db.prepare(`${select} tenant = ? AND (tenant, seq) > (?, ?) ${inChain}`),
    },
  }
  // The last entry of a chain stays: the next one names its hash.
  const drop = db.prepare(
    `DELETE FROM audit WHERE (tenant, seq) IN (SELECT tenant, seq FROM audit AS old WHERE seq < coalesce(
       (SELECT min(seq) FROM audit WHERE tenant = old.tenant AND at_ms >= ?),
       (SELECT max(seq) FROM audit WHERE tenant = old.tenant)) ORDER BY tenant, seq LIMIT ?)`,
  )

  return {
    apply(row, { scope: { tenant }, nowMs }) {
      const end = last.get(tenant)
      const known = end && { seq: Number(end['seq']), hash: String(end['hash']) }
      add.run(...auditValues(nextEntry(known, { tenant, atMs: nowMs, change: changeIn(row) })))
    },
    reads: {
      list({ tenant, order, limit, after }) {
        const own = tenant === undefined ? [] : [tenant]
        const place =
          after === undefined
            ? []
            : order === 'chain'
              ? [after.tenant, after.seq]
              : [after.atMs, after.tenant, after.seq]
        const { all, of, allAfter, ofAfter } = lists[order]
        const [whole, rest] = tenant === undefined ? [all, allAfter] : [of, ofAfter]
        return (after === undefined ? whole : rest).all(...own, ...place, limit).map(auditIn)
      },
    },
    prune(nowMs, { auditAgeMs }): PruneStep {
      if (auditAgeMs === undefined) return { rows: 0, more: false }
      const rows = Number(drop.run(nowMs - auditAgeMs, rowsAtOnce).changes)
      return { rows, more: rows === rowsAtOnce }
    },
  }
}
