import type { PostgresTable, PostgresWriter } from '../../kernel/table.ts'
import { postgresReceiptList } from '../receipts/postgres-receipt-list.ts'
import { isFailed } from '../receipts/receipt-result.ts'
import type { ReceiptResult } from '../receipts/receipt-result.ts'
import { summaryIn } from '../receipts/receipt-rows.ts'
import { accountOf } from './account-of.ts'
import { addCost, costsTable, sessionsWithCosts } from './postgres-costs.ts'
import { addTally, askerRollupsTable, rollupsTable, sumRollups } from './postgres-rollups.ts'
import { addToAccount, accountRows, accountsTable } from './postgres-tenant-accounts.ts'
import type { ResultTypes } from './result.ts'
import { costOfResult } from './session-cost.ts'
import { countedOf } from './statistics/rollups.ts'
import type { Tally } from './statistics/rollups.ts'
import { creditOf, mayChange } from './tenant-account.ts'
import type { TenantAccountChange } from './tenant-account.ts'

export const postgresResults: PostgresTable<ResultTypes> = {
  migrations: [costsTable + rollupsTable + accountsTable, askerRollupsTable],
  // Sums are read, added to and written.
  locks: (_row, { scope }) => [`results ${scope.tenant}`],
  async allows(on, [, , , account], { scope: { tenant } }) {
    if (typeof account !== 'string') return true
    const change = JSON.parse(account) as TenantAccountChange
    return change.knownCredit === undefined || mayChange(creditOf(await accountRows(on, tenant)), change)
  },
  async apply(on, [requestId, result, tally, account], { scope: { tenant }, nowMs }) {
    const counts =
      typeof result !== 'string' || (await endRequest(on, { tenant, requestId: String(requestId), result }))
    if (typeof account === 'string' && counts)
      await addToAccount(on, tenant, JSON.parse(account) as TenantAccountChange)
    if (typeof tally === 'string') await addTally(on, { tenant, atMs: nowMs, tally: JSON.parse(tally) as Tally })
  },
  reads: (on) => ({
    account: async (tenant, { after = -1, ...query }) =>
      accountOf((await postgresReceiptList(on, tenant, { ...query, after })).map(summaryIn)),
    tenantAccount: (tenant) => accountRows(on, tenant),
    statistics: (tenant, query) => sumRollups(on, tenant, query),
    sessions: (tenant, query) => sessionsWithCosts(on, tenant, query),
  }),
  async dropSessions(on, ids) {
    await on.run('DELETE FROM costs WHERE session_id = ANY($1::bigint[])', ids)
    return 0
  },
}

interface Ended {
  readonly tenant: string
  readonly requestId: string
  /** As JSON. */
  readonly result: string
}

/** Gives whether it is the first result of its receipt. */
async function endRequest(on: PostgresWriter, { tenant, requestId, result: json }: Ended): Promise<boolean> {
  const result = JSON.parse(json) as ReceiptResult
  const [row] = await on.all(
    `WITH receipt AS (SELECT sequence, session_id, created_ms, model, policy FROM receipts WHERE tenant = $1 AND request_id = $2),
       ended AS (INSERT INTO results (sequence, result, failed) SELECT sequence, $3, $4::int = 1 FROM receipt
         ON CONFLICT DO NOTHING RETURNING sequence)
     SELECT receipt.* FROM receipt JOIN ended USING (sequence)`,
    tenant,
    requestId,
    json,
    isFailed(result) ? 1 : 0,
  )
  if (!row) return false
  const cost = costOfResult(result)
  if (cost) addCost(on, Number(row['session_id']), cost)
  const model = result.answeredBy ?? String(row['model'] ?? '')
  const tally = { model, policy: String(row['policy'] ?? ''), ...countedOf(result) }
  await addTally(on, { tenant, atMs: Number(row['created_ms']), tally })
  return true
}
