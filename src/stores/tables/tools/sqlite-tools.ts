import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { Row, SqlitePlace, SqliteRows } from '../../kernel/table.ts'
import type { Retention } from '../../kernel/retention.ts'
import type { ToolTypes } from './tool-record.ts'
import { callColumns, callIn, isFailure, offeredIn, recordIn, usageIn } from './tool-rows.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

export function sqliteTools({ db }: SqliteKernel): SqliteRows<ToolTypes> {
  const columns = callColumns.join(', ')
  const get = db.prepare('SELECT id, kind, value, written_ms FROM tools WHERE tenant = ? AND id = ?')
  const list = db.prepare('SELECT id, kind, value, written_ms FROM tools WHERE tenant = ? AND kind = ? ORDER BY id')
  const usage = db.prepare('SELECT tool, offered, called, failed, tokens FROM tool_sums WHERE tenant = ?')
  const calls = db.prepare(
    `SELECT ${columns} FROM tool_calls WHERE tenant = ? AND (? IS NULL OR tool = ?) ORDER BY at_ms DESC, id DESC LIMIT ?`,
  )
  return {
    apply: applier(db),
    reads: {
      get(tenant, id) {
        const row = get.get(tenant, id)
        return row && recordIn(row)
      },
      list: (tenant, kind) => list.all(tenant, kind).map(recordIn),
      usage: (tenant) => usageIn(usage.all(tenant)),
      calls: ({ tenant, tool = null, limit }) => calls.all(tenant, tool, tool, limit).map(callIn),
    },
    prune: pruner(db),
  }
}

function applier(db: SqliteKernel['db']): (row: Row, at: SqlitePlace) => void {
  const put = db.prepare('INSERT OR REPLACE INTO tools (tenant, id, kind, value, written_ms) VALUES (?, ?, ?, ?, ?)')
  const drop = db.prepare('DELETE FROM tools WHERE tenant = ? AND id = ?')
  const note = db.prepare(
    `INSERT OR IGNORE INTO tool_calls (${callColumns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const add = db.prepare(
    `INSERT INTO tool_sums (tenant, tool, offered, called, failed, tokens) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      offered = offered + excluded.offered, called = called + excluded.called, failed = failed + excluded.failed,
      tokens = tokens + excluded.tokens`,
  )
  return ([kind, first, ...rest], { scope: { tenant }, nowMs }) => {
    const id = String(first)
    if (kind === 'put') put.run(tenant, id, String(rest[0]), String(rest[1]), nowMs)
    else if (kind === 'drop') drop.run(tenant, id)
    else if (kind === 'offered') for (const tool of offeredIn(first)) add.run(tenant, tool, 1, 0, 0, 0)
    else {
      const [tool, outcome, tookMs, tokens, session = null, requestId = null] = rest
      const said = [String(tool), String(outcome), Number(tookMs), Number(tokens)] as const
      if (note.run(tenant, id, ...said, nowMs, session, requestId).changes)
        add.run(tenant, String(tool), 0, 1, isFailure(outcome) ? 1 : 0, Number(tokens))
    }
  }
}

function pruner(db: SqliteKernel['db']): NonNullable<SqliteRows<ToolTypes>['prune']> {
  const old = 'SELECT tenant, id FROM tool_calls WHERE at_ms < ?'
  const drop = db.prepare(`DELETE FROM tool_calls WHERE (tenant, id) IN (${old} LIMIT ?)`)
  const dropOf = db.prepare(`DELETE FROM tool_calls WHERE (tenant, id) IN (${old} AND tenant = ? LIMIT ?)`)
  return (nowMs, { receiptAgeMs, tenants = {} }: Retention) => {
    let rows = Number(drop.run(nowMs - receiptAgeMs, rowsAtOnce).changes)
    for (const [tenant, own] of Object.entries(tenants))
      if (rows < rowsAtOnce) rows += Number(dropOf.run(nowMs - own.receiptAgeMs, tenant, rowsAtOnce - rows).changes)
    return { rows, more: rows === rowsAtOnce }
  }
}
