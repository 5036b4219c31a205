import type { Receipt, ReceiptSummary, WantedContent } from './receipt.ts'
import { withoutMessages } from './receipt-result.ts'
import { readInput, readManifest, readRequest } from './restored-receipt.ts'
import type { SessionRows } from './restored-receipt.ts'

/** The columns of a receipt and of its result, by name. */
type Row = Readonly<Record<string, unknown>>

/** The receipt that a row stands for, with as much of its content as is wanted. */
export function receiptIn(rows: SessionRows, row: Row, wanted: WantedContent): Receipt {
  const { input, request } = row
  const { dialect, mode, model, step, parentSession, leftTools, wastedTools, why, origins } = headOf(row)
  return {
    ...identity(row),
    dialect,
    mode,
    ...(model !== undefined && { model }),
    ...(step && { step }),
    ...(parentSession !== undefined && { parentSession }),
    ...(leftTools && { leftTools }),
    ...(wastedTools && { wastedTools }),
    ...(why && { why }),
    ...(origins && { origins }),
    manifest: readManifest(rows, String(row['manifest'])),
    ...(typeof input === 'string' && wanted.input !== false && { input: readInput(rows, input) }),
    ...(typeof request === 'string' && wanted.request !== false && { request: readRequest(rows, request) }),
  }
}

/** What a list shows of it. */
export function summaryIn(row: Row): ReceiptSummary {
  const { origins: _origins, ...head } = headOf(row)
  const { result, ...known } = identity(row)
  return {
    ...known,
    ...head,
    sequence: Number(row['sequence']),
    lane: String(row['lane']),
    ...(result && { result: withoutMessages(result) }),
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
