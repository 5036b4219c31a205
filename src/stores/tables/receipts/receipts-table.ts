import type { Lists, Row, Table } from '../../kernel/table.ts'
import { memoryReceipts } from './memory-receipts.ts'
import type { MemoryReceipts } from './memory-receipts.ts'
import { policiesRelation, receiptsRelation } from './receipt-relations.ts'
import { postgresReceipts } from './postgres-receipts.ts'
import type { ReceiptTypes, ReceiptWrite } from './receipt.ts'
import { sqliteReceipts } from './sqlite-receipts.ts'
import { storedReceipt } from './stored-receipt.ts'

/** What was decided for each request, with what compiles it again. In a unit it stands before the ledger that came out of it. */
export const receiptsTable: Table<'receipts', ReceiptTypes, MemoryReceipts> = {
  name: 'receipts',
  changesSession: true,
  reads: { get: () => undefined, list: () => undefined },
  encode: ({ receipt }: ReceiptWrite, lists: Lists): Row => storedReceipt(receipt, lists),
  memory: memoryReceipts,
  sqlite: { open: sqliteReceipts },
  postgres: postgresReceipts,
  relations: [policiesRelation, receiptsRelation],
}
