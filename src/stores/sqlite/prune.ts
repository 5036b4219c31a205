import type { DatabaseSync } from 'node:sqlite'
import type { Pruned, Retention } from '../store.ts'
import type { TextTable } from './texts.ts'

/** Rows removed in one transaction, so that requests get their turn in between. */
const receiptsAtOnce = 500
const sessionsAtOnce = 20

export interface PruneStep extends Pruned {
  readonly more: boolean
}

/** Removes a little of what has outlived its keep; call it until there is no more. */
export function sqlitePruner(db: DatabaseSync, texts: TextTable): (nowMs: number, retention: Retention) => PruneStep {
  const idle = db.prepare('SELECT id FROM sessions WHERE used_ms < ? LIMIT ?')
  const idleOf = db.prepare('SELECT id FROM sessions WHERE tenant = ? AND used_ms < ? LIMIT ?')
  const agedOf = db.prepare(
    `DELETE FROM receipts WHERE sequence IN
       (SELECT sequence FROM receipts WHERE tenant = ? AND created_ms < ? ORDER BY sequence LIMIT ?)`,
  )
  // The oldest have the lowest numbers: a look at the first ones tells without an index on age.
  const aged = db.prepare(
    `DELETE FROM receipts WHERE created_ms < ? AND sequence IN (SELECT sequence FROM receipts ORDER BY sequence LIMIT ?)`,
  )
  const surplus = db.prepare(
    `DELETE FROM receipts WHERE sequence IN
       (SELECT sequence FROM receipts ORDER BY sequence LIMIT min(?, max(0, (SELECT count(*) FROM receipts) - ?)))`,
  )
  const orphans = db.prepare(
    `DELETE FROM results WHERE sequence IN (SELECT sequence FROM results ORDER BY sequence LIMIT ?)
     AND NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.sequence = results.sequence)`,
  )
  const resultsOf = db.prepare(
    'DELETE FROM results WHERE sequence IN (SELECT sequence FROM receipts WHERE session_id = ?)',
  )
  const receiptsOf = db.prepare('DELETE FROM receipts WHERE session_id = ?')
  const rowsOf = ['fragments', 'handles', 'costs'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE session_id = ?`),
  )
  const sessionRow = db.prepare('DELETE FROM sessions WHERE id = ?')

  const dropSession = (id: number): number => {
    resultsOf.run(id)
    const receipts = Number(receiptsOf.run(id).changes)
    for (const statement of rowsOf) statement.run(id)
    texts.release(id)
    sessionRow.run(id)
    return receipts
  }

  return (nowMs, { sessionIdleMs, receiptAgeMs, maxReceipts, tenants = {} }) => {
    const own = Object.entries(tenants)
    const found = [
      ...idle.all(nowMs - sessionIdleMs, sessionsAtOnce),
      ...own.flatMap(([tenant, kept]) => idleOf.all(tenant, nowMs - kept.sessionIdleMs, sessionsAtOnce)),
    ]
    const sessions = [...new Set(found.map((row) => Number(row['id'])))].slice(0, sessionsAtOnce)
    const ofSessions = sessions.reduce((total, id) => total + dropSession(id), 0)
    let old = Number(aged.run(nowMs - receiptAgeMs, receiptsAtOnce).changes)
    for (const [tenant, kept] of own)
      if (old < receiptsAtOnce)
        old += Number(agedOf.run(tenant, nowMs - kept.receiptAgeMs, receiptsAtOnce - old).changes)
    const over = Number(surplus.run(receiptsAtOnce, maxReceipts).changes)
    if (old + over > 0) orphans.run(2 * receiptsAtOnce)
    const more = sessions.length === sessionsAtOnce || Math.max(old, over) === receiptsAtOnce
    return { sessions: sessions.length, receipts: ofSessions + old + over, more }
  }
}
