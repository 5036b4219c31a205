import type { DatabaseSync } from 'node:sqlite'
import type { ReceiptResult } from '../receipt-result.ts'
import { costOfResult } from '../session-cost.ts'
import { figuresOfResult, isFailed } from '../statistics/rollups.ts'
import { takenHandle } from '../taken-handle.ts'
import type { CommitRows, OriginalRow, ReceiptRow, SessionChange, WriteOutcome } from './commit-rows.ts'
import type { SqliteTables } from './receipt-rows.ts'
import { sessionRows } from './session-rows.ts'

/** Writes a commit inside the caller's transaction; writes nothing where it does not fit the session that stands. */
export type WriteCommit = (rows: CommitRows) => WriteOutcome

export function commitWriter(
  db: DatabaseSync,
  { fragments, texts, policies, costs, rollups, accounts }: SqliteTables,
): WriteCommit {
  const sessions = sessionRows(db, fragments)
  const setLedger = db.prepare('UPDATE sessions SET ledger = ? WHERE id = ?')
  const setOverlay = db.prepare('UPDATE sessions SET overlay = ? WHERE id = ?')
  const putHandle = db.prepare(
    'INSERT OR IGNORE INTO handles (tenant, handle, session_id, text_id, about) VALUES (?, ?, ?, ?, ?)',
  )
  const heldText = db.prepare('SELECT text_id FROM handles WHERE tenant = ? AND handle = ? AND session_id = ?')
  const putReceipt = db.prepare(
    `INSERT INTO receipts (tenant, session_id, request_id, pack_id, created_ms, head, model, policy, manifest, input, request)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const writeResult = resultWriter(db, { costs, rollups })

  const writeOriginals = (sessionId: number, tenant: string, originals: readonly OriginalRow[]): void => {
    for (const { handle, text, about } of originals) {
      const textId = texts.put(sessionId, text).id
      if (putHandle.run(tenant, handle, sessionId, textId, about).changes === 1) continue
      if (heldText.get(tenant, handle, sessionId)?.['text_id'] !== textId) throw new Error(takenHandle(handle))
    }
  }

  const writeReceipt = (sessionId: number, { scope, nowMs }: CommitRows, receipt: ReceiptRow): void => {
    const { requestId, packId, head, model = null, policy, manifest, input = null, request = null } = receipt
    const { tenant } = scope
    putReceipt.run(tenant, sessionId, requestId, packId, nowMs, head, model, policy, manifest, input, request)
  }

  const writeSession = (id: number, rows: CommitRows, change: SessionChange): void => {
    if (change.policy) policies.put(change.policy)
    for (const fragment of change.fragments) fragments.put(id, fragment)
    if (change.receipt) writeReceipt(id, rows, change.receipt)
    if (change.ledger !== undefined) setLedger.run(change.ledger, id)
    if (change.overlay !== undefined) setOverlay.run(change.overlay, id)
    writeOriginals(id, rows.scope.tenant, change.originals)
  }

  return (rows) => {
    const { session: change, result, tally, tenantAccount, scope, nowMs } = rows
    if (tenantAccount && !accounts.allows(scope.tenant, tenantAccount)) return { kind: 'conflict' }
    const outcome: WriteOutcome = change ? sessions.open(rows, change) : { kind: 'done' }
    if (outcome.kind !== 'done') return outcome
    if (change && outcome.base) writeSession(outcome.base.id, rows, change)
    const counts = result === undefined || writeResult(scope.tenant, result)
    if (tenantAccount && counts) accounts.add(scope.tenant, tenantAccount)
    if (tally) rollups.add(scope.tenant, nowMs, tally)
    return outcome
  }
}

/** Writes how a request went, the first time that this is told, and what it adds to its session and its hour. Says whether it was the first time. */
function resultWriter(
  db: DatabaseSync,
  { costs, rollups }: Pick<SqliteTables, 'costs' | 'rollups'>,
): (tenant: string, result: NonNullable<CommitRows['result']>) => boolean {
  const receiptOf = db.prepare(
    'SELECT sequence, session_id, created_ms, model, policy FROM receipts WHERE tenant = ? AND request_id = ?',
  )
  const put = db.prepare('INSERT OR IGNORE INTO results (sequence, result, failed) VALUES (?, ?, ?)')
  return (tenant, { requestId, json }) => {
    const asked = receiptOf.get(tenant, requestId)
    if (!asked) return false
    const result = JSON.parse(json) as ReceiptResult
    const isFirst = put.run(Number(asked['sequence']), json, isFailed(result) ? 1 : 0).changes === 1
    if (!isFirst) return false
    const cost = costOfResult(result)
    if (cost) costs.add(Number(asked['session_id']), cost)
    const model = result.answeredBy ?? String(asked['model'] ?? '')
    const policy = String(asked['policy'] ?? '')
    rollups.add(tenant, Number(asked['created_ms']), { model, policy, figures: figuresOfResult(result) })
    return true
  }
}
