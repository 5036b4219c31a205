import type { Relation } from '../../kernel/portable.ts'
import { isFailed } from '../receipts/receipt-result.ts'
import type { ReceiptResult } from '../receipts/receipt-result.ts'
import { costColumns } from './cost-columns.ts'

const results: Relation = {
  name: 'results',
  columns: ['sequence', 'result'],
  key: ['sequence'],
  of: 'receipt',
  // A result may outlive its receipt for a while.
  sqlite: { from: ofReceipts(), put: 'INSERT INTO results (sequence, result, failed) VALUES (?, ?, ?)' },
  postgres: { from: ofReceipts(), put: 'INSERT INTO results (sequence, result, failed) VALUES ($1, $2, $3::int = 1)' },
  stored: ([sequence, result]) => [sequence, result, isFailed(JSON.parse(String(result)) as ReceiptResult) ? 1 : 0],
}

function ofReceipts(): string {
  return '(SELECT results.sequence, result FROM results JOIN receipts ON receipts.sequence = results.sequence)'
}

/** Results, and the sums of them, which outlive them. */
export const resultRelations: readonly Relation[] = [
  results,
  { name: 'costs', columns: ['session_id', ...costColumns], key: ['session_id'], of: 'session' },
  {
    name: 'rollups',
    columns: ['tenant', 'hour_ms', 'model', 'policy', 'figures'],
    key: ['tenant', 'hour_ms', 'model', 'policy'],
    of: 'tenant',
  },
  {
    name: 'asker_rollups',
    columns: ['tenant', 'hour_ms', 'key_id', 'team', 'user_name', 'model', 'policy', 'figures'],
    key: ['tenant', 'hour_ms', 'key_id', 'team', 'user_name', 'model', 'policy'],
    of: 'tenant',
  },
  {
    name: 'tenant_accounts',
    columns: ['tenant', 'model', 'sessions', 'requests', 'pass_through', 'saved', 'lent', 'fetched'],
    key: ['tenant', 'model'],
    of: 'tenant',
  },
]
