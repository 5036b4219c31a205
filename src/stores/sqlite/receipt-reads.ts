import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { withoutMessages } from '../receipt-result.ts'
import type { Receipt, ReceiptQuery, ReceiptSummary, WantedContent } from '../store.ts'
import { receiptLister } from './receipt-list.ts'
import { readInput, readManifest, readRequest } from './receipt-rows.ts'
import type { SqliteTables } from './receipt-rows.ts'

type Row = Record<string, SQLOutputValue>

export interface ReceiptReader {
  receipt(tenant: string, id: string, wanted?: WantedContent): Receipt | undefined
  receipts(tenant: string, query: ReceiptQuery): readonly ReceiptSummary[]
}

export function receiptReader(db: DatabaseSync, tables: SqliteTables): ReceiptReader {
  const receiptColumns = `sequence, session_id, request_id, pack_id, created_ms, head, manifest, input, request, result,
    (SELECT name FROM sessions WHERE id = session_id) AS session
    FROM receipts LEFT JOIN results USING (sequence) WHERE receipts.tenant = ?`
  const byRequest = db.prepare(`SELECT ${receiptColumns} AND request_id = ?`)
  const byPack = db.prepare(`SELECT ${receiptColumns} AND pack_id = ? ORDER BY sequence DESC LIMIT 1`)
  const list = receiptLister(db)

  const toReceipt = (row: Row, wanted: WantedContent): Receipt => {
    const rows = { ...tables, sessionId: Number(row['session_id']) }
    const { input, request } = row
    const { dialect, mode, model, step, parentSession, why, origins } = headOf(row)
    return {
      ...identity(row),
      dialect,
      mode,
      ...(model !== undefined && { model }),
      ...(step && { step }),
      ...(parentSession !== undefined && { parentSession }),
      ...(why && { why }),
      ...(origins && { origins }),
      manifest: readManifest(rows, String(row['manifest'])),
      ...(typeof input === 'string' && wanted.input !== false && { input: readInput(rows, input) }),
      ...(typeof request === 'string' && wanted.request !== false && { request: readRequest(rows, request) }),
    }
  }

  return {
    receipt(tenant, id, wanted = {}) {
      const row = byRequest.get(tenant, id) ?? byPack.get(tenant, id)
      return row && toReceipt(row, wanted)
    },
    receipts: (tenant, query) =>
      list(tenant, query).map((row) => {
        const { origins: _origins, ...head } = headOf(row)
        const { result, ...known } = identity(row)
        return {
          ...known,
          ...head,
          sequence: Number(row['sequence']),
          lane: String(row['lane']),
          ...(result && { result: withoutMessages(result) }),
        }
      }),
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

type Head = Omit<ReceiptSummary, keyof ReturnType<typeof identity> | 'sequence' | 'lane'> & Pick<Receipt, 'origins'>

function headOf(row: Row): Head {
  return JSON.parse(String(row['head'])) as Head
}
