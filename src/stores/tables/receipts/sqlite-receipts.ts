import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { PruneStep, SqliteRows } from '../../kernel/table.ts'
import type { Retention } from '../../kernel/retention.ts'
import { policyRows } from './policy-rows.ts'
import type { ReceiptTypes } from './receipt.ts'
import { receiptReader } from './receipt-reads.ts'

export function sqliteReceipts(kernel: SqliteKernel): SqliteRows<ReceiptTypes> {
  const { db } = kernel
  const policies = policyRows(db)
  const put = db.prepare(
    `INSERT INTO receipts (tenant, session_id, created_ms, request_id, pack_id, head, model, policy, manifest, input, request)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const resultsOf = db.prepare(
    'DELETE FROM results WHERE sequence IN (SELECT sequence FROM receipts WHERE session_id = ?)',
  )
  const receiptsOf = db.prepare('DELETE FROM receipts WHERE session_id = ?')
  return {
    apply(row, { scope: { tenant }, nowMs, sessionId }) {
      const [key, json] = row.slice(receiptColumns)
      if (typeof key === 'string' && typeof json === 'string') policies.put(key, json)
      put.run(tenant, sessionId, nowMs, ...row.slice(0, receiptColumns).map((cell) => cell ?? null))
    },
    reads: receiptReader(kernel, policies),
    dropSession(sessionId) {
      resultsOf.run(sessionId)
      return Number(receiptsOf.run(sessionId).changes)
    },
    prune: receiptPruner(kernel),
  }
}

/** Cells of a row that are columns; the policy's key and JSON stand behind them. */
const receiptColumns = 8
/** Rows removed in one transaction, so that requests get their turn in between. */
const receiptsAtOnce = 500

function receiptPruner({ db }: SqliteKernel): (nowMs: number, retention: Retention) => PruneStep {
  const agedOf = db.prepare(
    `DELETE FROM receipts WHERE sequence IN
       (SELECT sequence FROM receipts WHERE tenant = ? AND created_ms < ? ORDER BY sequence LIMIT ?)`,
  )
  // The oldest have the lowest numbers: a look at the first ones tells without an index on age.
  const aged = db.prepare(
    `DELETE FROM receipts WHERE created_ms < ? AND sequence IN (SELECT sequence FROM receipts ORDER BY sequence LIMIT ?)`,
  )
  const crowded = db.prepare('SELECT tenant, count(*) AS number FROM receipts GROUP BY tenant HAVING count(*) > ?')
  const surplusOf = db.prepare(
    'DELETE FROM receipts WHERE sequence IN (SELECT sequence FROM receipts WHERE tenant = ? ORDER BY sequence LIMIT ?)',
  )
  const orphans = db.prepare(
    `DELETE FROM results WHERE sequence IN (SELECT sequence FROM results ORDER BY sequence LIMIT ?)
     AND NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.sequence = results.sequence)`,
  )
  return (nowMs, { receiptAgeMs, maxReceipts, tenants = {} }) => {
    let old = Number(aged.run(nowMs - receiptAgeMs, receiptsAtOnce).changes)
    for (const [tenant, kept] of Object.entries(tenants))
      if (old < receiptsAtOnce)
        old += Number(agedOf.run(tenant, nowMs - kept.receiptAgeMs, receiptsAtOnce - old).changes)
    let over = 0
    for (const { tenant, number } of crowded.all(maxReceipts)) {
      const most = Math.min(receiptsAtOnce - over, Number(number) - maxReceipts)
      if (most > 0) over += Number(surplusOf.run(String(tenant), most).changes)
    }
    if (old + over > 0) orphans.run(2 * receiptsAtOnce)
    return { rows: old + over, more: Math.max(old, over) === receiptsAtOnce }
  }
}
