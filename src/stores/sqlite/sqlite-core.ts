import type { DatabaseSync } from 'node:sqlite'
import type { Retention, Store } from '../store.ts'
import type { CommitRows, WriteOutcome } from './commit-rows.ts'
import { costTable } from './cost-rows.ts'
import { fragmentTable } from './fragments.ts'
import { policyTable } from './policy-table.ts'
import { sqlitePruner } from './prune.ts'
import type { PruneStep } from './prune.ts'
import { rollupTable } from './rollup-rows.ts'
import type { RollupTable } from './rollup-rows.ts'
import { sqliteReader } from './reads.ts'
import { settings, trial } from './settings.ts'
import { isBusy, isOfDatabase } from './sqlite-errors.ts'
import { tenantAccountTable } from './tenant-account-rows.ts'
import { textTable } from './texts.ts'
import { transactions } from './transactions.ts'
import type { TransactionOptions } from './transactions.ts'
import { commitWriter } from './write-commit.ts'

/**
 * What a store asks of whoever owns the database. Arguments and answers are plain data, so that the owner may be another
 * thread; what was asked first is done first.
 */
export interface SqliteCore extends Pick<
  Store,
  | 'session'
  | 'lanes'
  | 'original'
  | 'originals'
  | 'sessions'
  | 'receipt'
  | 'receipts'
  | 'account'
  | 'statistics'
  | 'tenantAccount'
  | 'find'
  | 'value'
  | 'setValue'
  | 'claimValue'
  | 'ping'
> {
  /** In order and in one transaction, as far as they can be. One that cannot be written does not spoil the others. */
  write(batch: readonly CommitRows[]): Promise<readonly WriteOutcome[]>
  pruneStep(nowMs: number, retention: Retention): Promise<PruneStep>
}

/** Reads and writes a database that is open. */
export function sqliteCore(db: DatabaseSync, options: TransactionOptions): SqliteCore {
  const texts = textTable(db)
  const policies = policyTable(db)
  const tables = {
    fragments: fragmentTable(db, texts),
    texts,
    policies,
    costs: costTable(db),
    rollups: rollupTable(db),
    accounts: tenantAccountTable(db),
  }
  const reader = sqliteReader(db, tables)
  const prune = sqlitePruner(db, texts)
  const values = settings(db)
  const { run, read } = transactions(db, options)
  const write = commitWriter(db, tables)

  /** Room that the last commits which could not be written take: what is smaller may still fit. */
  let failedChars = 0

  const written = async (batch: readonly CommitRows[]): Promise<readonly WriteOutcome[]> => {
    try {
      return await run(() => counted(batch.map(write), tables.rollups))
    } catch (error) {
      policies.forget()
      tables.rollups.forget()
      const isHopeless = isOfDatabase(error)
      if (isHopeless && !isBusy(error)) failedChars = roomFor(batch)
      if (batch.length === 1 || isHopeless) return batch.map(() => failed(error))
    }
    const outcomes: WriteOutcome[] = []
    for (const rows of batch) outcomes.push(...(await written([rows])))
    return outcomes
  }

  return {
    write: written,
    session: (scope) => read(() => reader.session(scope)),
    lanes: (tenant, session, beginning) => read(() => reader.lanes(tenant, session, beginning)),
    original: (scope, handle) => read(() => reader.original(scope, handle)),
    originals: (scope) => read(() => reader.originals(scope)),
    sessions: (tenant, query) => read(() => reader.sessions(tenant, query)),
    receipt: (tenant, id, wanted) => read(() => reader.receipt(tenant, id, wanted)),
    receipts: (tenant, query) => read(() => reader.receipts(tenant, query)),
    account: (tenant, query) => read(() => reader.account(tenant, query)),
    statistics: (tenant, query) => read(() => tables.rollups.sum(tenant, query)),
    tenantAccount: (tenant) => read(() => tables.accounts.rows(tenant)),
    find: (tenant, text, limit) => read(() => reader.find(tenant, text, limit)),
    value: (key) => read(() => values.get(key)),
    setValue: (key, value) => run(() => values.set(key, value)),
    claimValue: async (key, value) => (await read(() => values.get(key))) ?? run(() => values.claim(key, value)),
    async pruneStep(nowMs, retention) {
      const step = await run(() => prune(nowMs, retention))
      if (!step.more) await read(() => db.exec('PRAGMA incremental_vacuum(1000)'))
      return step
    },
    async ping() {
      const { key, value } = trial(failedChars)
      await run(() => values.set(key, value))
      await run(() => values.remove(key))
      failedChars = 0
    },
  }
}

/** Writes what commits have added to their hours, within their transaction. */
function counted(outcomes: readonly WriteOutcome[], { flush }: Pick<RollupTable, 'flush'>): readonly WriteOutcome[] {
  flush()
  return outcomes
}

/** What the largest of some commits takes in the file, roughly: its texts, and as much again for rows and indexes. */
function roomFor(batch: readonly CommitRows[]): number {
  return Math.max(...batch.map((rows) => 2 * charsOf(rows)))
}

function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((total, part) => total + charsOf(part), 0)
}

function failed(error: unknown): WriteOutcome {
  return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
}
