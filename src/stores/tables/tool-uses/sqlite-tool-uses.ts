import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import { retentionOf } from '../../kernel/retention.ts'
import type { Cell, SqliteRows } from '../../kernel/table.ts'
import { halvedAt, mostRead, toolUseIn } from './tool-uses.ts'
import type { ToolUsesTypes } from './tool-uses.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

/** Counts are added where they stand, so that two processes lose none. */
const add = `
  INSERT INTO tool_uses (tenant, name, offered, called, failed, sessions, called_in, queries, written_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET offered = offered + excluded.offered, called = called + excluded.called, failed = failed + excluded.failed,
    sessions = iif(excluded.sessions > 0 AND sessions >= ${halvedAt}, sessions / 2, sessions) + excluded.sessions,
    called_in = iif(excluded.sessions > 0 AND sessions >= ${halvedAt}, called_in / 2, called_in) + excluded.called_in,
    queries = coalesce(excluded.queries, queries), written_ms = excluded.written_ms`

export function sqliteToolUses({ db }: SqliteKernel): SqliteRows<ToolUsesTypes> {
  const put = db.prepare(add)
  const select = db.prepare(
    `SELECT * FROM (SELECT * FROM tool_uses WHERE tenant = ? ORDER BY written_ms DESC LIMIT ${mostRead}) ORDER BY name`,
  )
  const drop = db.prepare(
    'DELETE FROM tool_uses WHERE (tenant, name) IN (SELECT tenant, name FROM tool_uses WHERE written_ms < ? LIMIT ?)',
  )
  const dropOf = db.prepare(
    `DELETE FROM tool_uses WHERE tenant = ? AND name IN
       (SELECT name FROM tool_uses WHERE tenant = ? AND written_ms < ? LIMIT ?)`,
  )
  const dropBut = db.prepare(
    `DELETE FROM tool_uses WHERE (tenant, name) IN (SELECT tenant, name FROM tool_uses
       WHERE written_ms < ? AND tenant NOT IN (SELECT value FROM json_each(?)) LIMIT ?)`,
  )
  return {
    apply([uses], { scope: { tenant }, nowMs }) {
      for (const cells of JSON.parse(String(uses)) as readonly Exclude<Cell, undefined>[][])
        put.run(tenant, ...cells, nowMs)
    },
    reads: { all: (tenant) => select.all(tenant).map(toolUseIn) },
    prune(nowMs, retention) {
      const own = Object.keys(retention.tenants ?? {})
      const oldest = nowMs - retention.sessionIdleMs
      const others =
        own.length === 0 ? drop.run(oldest, rowsAtOnce) : dropBut.run(oldest, JSON.stringify(own), rowsAtOnce)
      let rows = Number(others.changes)
      for (const tenant of own) {
        if (rows >= rowsAtOnce) break
        const sinceMs = nowMs - retentionOf(retention, tenant).sessionIdleMs
        rows += Number(dropOf.run(tenant, tenant, sinceMs, rowsAtOnce - rows).changes)
      }
      return { rows, more: rows >= rowsAtOnce }
    },
  }
}
