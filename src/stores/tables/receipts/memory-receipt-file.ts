import type { MemoryImport, MemoryPortable, MemoryScope } from '../../kernel/table.ts'
import type { Receipt } from './receipt.ts'
import { receiptsRelation } from './receipt-relations.ts'
import { receiptIn } from './receipt-rows.ts'
import { storedReceipt } from './stored-receipt.ts'

interface NumberedReceipt {
  readonly sequence: number
  readonly tenant: string
  readonly of: MemoryScope
  readonly receipt: Receipt
}

interface ReceiptFile {
  filed(): Iterable<NumberedReceipt>
  add(of: MemoryScope, receipt: Receipt, numbered: { readonly from: MemoryImport; readonly number: number }): void
}

/** Cells of a stored receipt that are columns; its policy stands behind them. */
const receiptCells = 8

/** Receipts in memory as rows; their results are those of another table. */
export function receiptsInFile({ filed, add }: ReceiptFile): MemoryPortable {
  return {
    *rows({ exported, policy }) {
      for (const { of, sequence, tenant, receipt: one } of filed()) {
        const lane = exported(of)
        if (!lane) continue
        const { session: _session, createdMs, ...receipt } = one
        const row = storedReceipt(receipt, lane.lists)
        const [key, json] = row.slice(receiptCells)
        if (key !== undefined) policy(String(key), String(json))
        const cells = row.slice(0, receiptCells).map((cell) => cell ?? null)
        yield { relation: 'receipts', cells: [sequence, tenant, lane.number, createdMs, ...cells] }
      }
    },
    put({ relation, cells }, from) {
      if (relation !== 'receipts') return
      const row = Object.fromEntries(receiptsRelation.columns.map((name, at) => [name, cells[at]]))
      const of = from.lane(row['session_id'])
      const { fragments, texts } = from
      const rows = { sessionId: Number(row['session_id']), fragments, texts, policies: { get: from.policy } }
      const receipt = receiptIn(rows, { ...row, session: of.scope.session }, {})
      add(of, receipt, { from, number: Number(row['sequence']) })
    },
  }
}

/** What is added to the numbers of a file: the highest number when the import began. */
export function numberBases(highest: () => number): (from: MemoryImport) => number {
  const bases = new WeakMap<MemoryImport, number>()
  return (from) => {
    const base = bases.get(from) ?? highest()
    bases.set(from, base)
    return base
  }
}
