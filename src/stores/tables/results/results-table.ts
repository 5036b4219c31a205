import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { MemoryKernel, MemoryTable, Row, SqliteRows, Table } from '../../kernel/table.ts'
import { movedOn } from '../../kernel/store.ts'
import { receiptsTable } from '../receipts/receipts-table.ts'
import { isFailed } from '../receipts/receipt-result.ts'
import type { ReceiptResult } from '../receipts/receipt-result.ts'
import { accountOf } from './account-of.ts'
import { accountReader } from './account-rows.ts'
import { costTable } from './cost-rows.ts'
import { memoryAccounts } from './memory-accounts.ts'
import { memoryCosts } from './memory-costs.ts'
import { memoryRollups } from './memory-rollups.ts'
import { postgresResults } from './postgres-results.ts'
import { resultRelations } from './result-relations.ts'
import { askerRollups, rollupTables } from './rollup-rows.ts'
import type { ResultTypes, ResultWrite } from './result.ts'
import { costOfResult } from './session-cost.ts'
import { countedOf } from './statistics/rollups.ts'
import type { Tally } from './statistics/rollups.ts'
import { tenantAccountTable } from './tenant-account-rows.ts'
import type { TenantAccountChange } from './tenant-account.ts'

/** How requests went, and the sums of that: by session, by hour, and by tenant. */
export const resultsTable: Table<'results', ResultTypes, MemoryResults> = {
  name: 'results',
  changesSession: false,
  reads: {
    account: (tenant, { session }) => ({ tenant, session }),
    tenantAccount: () => undefined,
    statistics: () => undefined,
    sessions: () => undefined,
  },
  encode: ({ of, tally, account }: ResultWrite): Row => [
    of?.requestId,
    of && JSON.stringify(of.result),
    tally && JSON.stringify(tally),
    account && JSON.stringify(account),
  ],
  memory: memoryResults,
  sqlite: { open: sqliteResults, migrations: [askerRollups] },
  postgres: postgresResults,
  relations: resultRelations,
}

export interface MemoryResults extends MemoryTable<ResultTypes> {
  /** Of whom there are statistics. */
  countedTenants(): Iterable<string>
}

function memoryResults(kernel: MemoryKernel): MemoryResults {
  const receipts = kernel.opened(receiptsTable)
  const costs = memoryCosts(kernel)
  const rollups = memoryRollups()
  const accounts = memoryAccounts()
  /** Whether it is the first result of its receipt. */
  const end = (tenant: string, { requestId, result }: NonNullable<ResultWrite['of']>): boolean => {
    const ended = receipts.end(tenant, requestId, result)
    if (!ended) return false
    const { receipt, of } = ended
    const cost = costOfResult(result)
    if (cost) costs.add(of, cost)
    const model = result.answeredBy ?? receipt.model ?? ''
    const tally = { model, policy: receipt.manifest.policyId, ...countedOf(result) }
    rollups.add(tenant, receipt.createdMs, tally)
    return true
  }
  return {
    countedTenants: rollups.tenants,
    check({ account }, { scope }) {
      if (account && !accounts.allows(scope.tenant, account)) throw movedOn(scope)
    },
    apply({ of, tally, account }, { scope: { tenant }, nowMs }) {
      const counts = of === undefined || end(tenant, of)
      if (account && counts) accounts.add(tenant, account)
      if (tally) rollups.add(tenant, nowMs, tally)
    },
    reads: {
      account: (tenant, { after = -1, ...query }) => accountOf(receipts.reads.list(tenant, { ...query, after })),
      tenantAccount: accounts.rows,
      statistics: rollups.sum,
      sessions: costs.sessions,
    },
    portable: {
      *rows(asked) {
        for (const { of, sequence, receipt } of receipts.filed())
          if (receipt.result && asked.exported(of))
            yield { relation: 'results', cells: [sequence, JSON.stringify(receipt.result)] }
        yield* costs.portable.rows(asked)
        yield* rollups.portable.rows(asked)
        yield* accounts.portable.rows(asked)
      },
      put(row, from) {
        const [sequence, result] = row.cells
        if (row.relation === 'results') receipts.restore(from, Number(sequence), JSON.parse(String(result)))
        if (row.relation === 'costs') costs.portable.put(row, from)
        if (row.relation === 'rollups' || row.relation === 'asker_rollups') rollups.portable.put(row, from)
        if (row.relation === 'tenant_accounts') accounts.portable.put(row, from)
      },
      drop: (tenant) => (rollups.portable.drop?.(tenant) ?? 0) + (accounts.portable.drop?.(tenant) ?? 0),
    },
  }
}

function sqliteResults({ db }: SqliteKernel): SqliteRows<ResultTypes> {
  const costs = costTable(db)
  const rollups = rollupTables(db)
  const accounts = tenantAccountTable(db)
  const receiptOf = db.prepare(
    'SELECT sequence, session_id, created_ms, model, policy FROM receipts WHERE tenant = ? AND request_id = ?',
  )
  const put = db.prepare('INSERT OR IGNORE INTO results (sequence, result, failed) VALUES (?, ?, ?)')
  /** Whether it is the first result of its receipt. */
  const end = (tenant: string, requestId: string, json: string): boolean => {
    const asked = receiptOf.get(tenant, requestId)
    if (!asked) return false
    const result = JSON.parse(json) as ReceiptResult
    const isFirst = put.run(Number(asked['sequence']), json, isFailed(result) ? 1 : 0).changes === 1
    if (!isFirst) return false
    const cost = costOfResult(result)
    if (cost) costs.add(Number(asked['session_id']), cost)
    const model = result.answeredBy ?? String(asked['model'] ?? '')
    const policy = String(asked['policy'] ?? '')
    rollups.add(tenant, Number(asked['created_ms']), { model, policy, ...countedOf(result) })
    return true
  }
  return {
    allows: ([, , , account], { scope }) =>
      typeof account !== 'string' || accounts.allows(scope.tenant, changeIn(account)),
    apply([requestId, result, tally, account], { scope: { tenant }, nowMs }) {
      const counts = typeof result !== 'string' || end(tenant, String(requestId), result)
      if (typeof account === 'string' && counts) accounts.add(tenant, changeIn(account))
      if (typeof tally === 'string') rollups.add(tenant, nowMs, JSON.parse(tally) as Tally)
    },
    reads: {
      account: accountReader(db),
      tenantAccount: accounts.rows,
      statistics: rollups.sum,
      sessions: costs.sessions,
    },
    flush: rollups.flush,
    forget: rollups.forget,
    dropSession(sessionId) {
      costs.drop(sessionId)
      return 0
    },
  }
}

function changeIn(json: string): TenantAccountChange {
  return JSON.parse(json) as TenantAccountChange
}
