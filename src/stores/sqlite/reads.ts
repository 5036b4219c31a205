import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Original, Receipt, ReceiptQuery, ReceiptSummary, Scope, SessionState } from '../store.ts'
import { readInput, readLedger, readManifest, readOverlay, readRequest } from './receipt-rows.ts'
import type { SqliteTables } from './writes.ts'

type Row = Record<string, SQLOutputValue>

export interface SqliteReader {
  session(scope: Scope): SessionState | undefined
  lanes(tenant: string, session: string): readonly string[]
  original(scope: Scope, handle: string): Original | undefined
  receipt(tenant: string, id: string): Receipt | undefined
  receipts(tenant: string, query: ReceiptQuery): readonly ReceiptSummary[]
}

export function sqliteReader(db: DatabaseSync, tables: SqliteTables): SqliteReader {
  const { texts } = tables
  const session = db.prepare(
    'SELECT id, version, offered_tools, overlay, ledger FROM sessions WHERE tenant = ? AND name = ? AND lane = ?',
  )
  const lanes = db.prepare('SELECT lane FROM sessions WHERE tenant = ? AND name = ? ORDER BY used_ms DESC, id DESC')
  const original = db.prepare(
    `SELECT about, text_id FROM handles WHERE handles.tenant = ? AND handle = ?
     ORDER BY session_id IN (SELECT id FROM sessions WHERE sessions.tenant = ? AND name = ?) DESC LIMIT 1`,
  )
  const receiptColumns = `sequence, session_id, request_id, pack_id, created_ms, head, manifest, input, request, result,
    (SELECT name FROM sessions WHERE id = session_id) AS session
    FROM receipts LEFT JOIN results USING (sequence) WHERE receipts.tenant = ?`
  const byRequest = db.prepare(`SELECT ${receiptColumns} AND request_id = ?`)
  const byPack = db.prepare(`SELECT ${receiptColumns} AND pack_id = ? ORDER BY sequence DESC LIMIT 1`)
  const list = db.prepare(
    `SELECT sequence, request_id, pack_id, created_ms, head, result, sessions.name AS session
     FROM receipts JOIN sessions ON sessions.id = receipts.session_id LEFT JOIN results USING (sequence)
     WHERE receipts.tenant = ? AND (? IS NULL OR sequence < ?) AND (? IS NULL OR sessions.name = ?)
     ORDER BY sequence DESC LIMIT ?`,
  )

  const toReceipt = (row: Row): Receipt => {
    const rows = { ...tables, sessionId: Number(row['session_id']) }
    const { input, request } = row
    const { dialect, mode, model } = headOf(row)
    return {
      ...identity(row),
      dialect,
      mode,
      ...(model !== undefined && { model }),
      manifest: readManifest(rows, String(row['manifest'])),
      ...(typeof input === 'string' && { input: readInput(rows, input) }),
      ...(typeof request === 'string' && { request: readRequest(rows, request) }),
    }
  }

  return {
    session({ tenant, session: name, lane = '' }) {
      const row = session.get(tenant, name, lane)
      if (!row) return undefined
      const { ledger } = row
      const rows = { ...tables, sessionId: Number(row['id']) }
      return {
        version: Number(row['version']),
        offeredTools: JSON.parse(String(row['offered_tools'])) as string[],
        overlay: readOverlay(rows, String(row['overlay'])),
        ...(typeof ledger === 'string' && { ledger: readLedger(rows, ledger) }),
      }
    },
    lanes: (tenant, name) => lanes.all(tenant, name).map((row) => String(row['lane'])),
    original({ tenant, session: name }, handle) {
      const row = original.get(tenant, handle, tenant, name)
      if (!row) return undefined
      const about = JSON.parse(String(row['about'])) as Omit<Original, 'handle' | 'text'>
      return { handle, text: texts.byId(Number(row['text_id'])), ...about }
    },
    receipt(tenant, id) {
      const row = byRequest.get(tenant, id) ?? byPack.get(tenant, id)
      return row && toReceipt(row)
    },
    receipts(tenant, { limit, before = null, session: name = null }) {
      return list
        .all(tenant, before, before, name, name, limit)
        .map((row) => ({ ...identity(row), ...headOf(row), sequence: Number(row['sequence']) }))
    },
  }
}

function identity(row: Row): Pick<Receipt, 'requestId' | 'packId' | 'session' | 'createdMs' | 'result'> {
  const result = row['result']
  return {
    requestId: String(row['request_id']),
    packId: String(row['pack_id']),
    session: String(row['session']),
    createdMs: Number(row['created_ms']),
    ...(typeof result === 'string' && { result: JSON.parse(result) }),
  }
}

type Head = Pick<ReceiptSummary, 'dialect' | 'mode' | 'model' | 'outcome' | 'epoch' | 'originalTokens' | 'packTokens'>

function headOf(row: Row): Head {
  return JSON.parse(String(row['head'])) as Head
}
