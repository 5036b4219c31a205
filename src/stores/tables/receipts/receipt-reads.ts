import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { PolicyRows } from './policy-rows.ts'
import type { ReceiptReads } from './receipt.ts'
import { receiptLister } from './receipt-list.ts'
import { receiptIn, summaryIn } from './receipt-rows.ts'

export function receiptReader({ db, texts, fragments }: SqliteKernel, policies: PolicyRows): ReceiptReads {
  const receiptColumns = `sequence, session_id, request_id, pack_id, created_ms, head, manifest, input, request, result,
    (SELECT name FROM sessions WHERE id = session_id) AS session
    FROM receipts LEFT JOIN results USING (sequence) WHERE receipts.tenant = ?`
  const byRequest = db.prepare(`SELECT ${receiptColumns} AND request_id = ?`)
  const byPack = db.prepare(`SELECT ${receiptColumns} AND pack_id = ? ORDER BY sequence DESC LIMIT 1`)
  const list = receiptLister(db)
  return {
    get(tenant, id, wanted = {}) {
      const row = byRequest.get(tenant, id) ?? byPack.get(tenant, id)
      return row && receiptIn({ texts, fragments, policies, sessionId: Number(row['session_id']) }, row, wanted)
    },
    list: (tenant, query) => list(tenant, query).map(summaryIn),
  }
}
