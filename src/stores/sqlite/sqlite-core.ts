import type { DatabaseSync } from 'node:sqlite'
import type { StoreCore } from '../rows/store-core.ts'
import type { TableSet } from '../rows/table-set.ts'
import type { UnitRows, WriteOutcome } from '../rows/unit-rows.ts'
import { tenantDropper } from './drop-tenant.ts'
import { sqlitePruner } from './prune.ts'
import { isBusy, isOfDatabase } from './sqlite-errors.ts'
import { openTables } from './open-tables.ts'
import { transactions } from './transactions.ts'
import { trialRow } from './trial-row.ts'
import type { TransactionOptions } from './transactions.ts'
import { unitWriter } from './write-unit.ts'

export interface SqliteCoreOptions extends TransactionOptions {
  readonly tables: TableSet
}

/** Reads and writes a database that is open. */
export function sqliteCore(db: DatabaseSync, options: SqliteCoreOptions): StoreCore {
  const tables = openTables(db, options.tables)
  const prune = sqlitePruner(db, tables)
  const dropTenant = tenantDropper(db, tables)
  const trial = trialRow(db)
  const { run, read } = transactions(db, options)
  const write = unitWriter(db, tables)

  /** Room that the last units which could not be written take: what is smaller may still fit. */
  let failedChars = 0

  const writeAll = (batch: readonly UnitRows[]): readonly WriteOutcome[] => {
    const outcomes = batch.map(write)
    for (const table of tables.byName.values()) table.flush?.()
    return outcomes
  }

  const written = async (batch: readonly UnitRows[]): Promise<readonly WriteOutcome[]> => {
    try {
      return await run(() => writeAll(batch))
    } catch (error) {
      for (const table of tables.byName.values()) table.forget?.()
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
    async read(table, name, given) {
      const step = tables.stepBefore(table, name)
      if (step) while (await run(() => step(...given))) await othersFirst()
      return read(() => tables.read(table, name, given))
    },
    async pruneStep(nowMs, retention) {
      const step = await run(() => prune(nowMs, retention))
      if (!step.more) await read(() => db.exec('PRAGMA incremental_vacuum(1000)'))
      return step
    },
    async dropTenantStep(tenant) {
      const step = await run(() => dropTenant(tenant))
      if (step.more) return step
      await read(() => writeAnew(db))
      await emptyLog(db)
      return step
    },
    async ping() {
      await run(() => trial.put(failedChars))
      await run(() => trial.remove())
      failedChars = 0
    },
  }
}

/**
 * Writes the file anew. Nothing less leaves no byte of what was removed: also with `secure_delete`, pages
 * that were split or joined keep copies of their rows in their free room.
 */
function writeAnew(db: DatabaseSync): void {
  db.exec('VACUUM')
}

/** Whether nobody who reads an older state is in the way. */
function emptiesLog(db: DatabaseSync): boolean {
  return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
}

const tries = 20
const betweenTriesMs = 50

/** Throws where somebody reads an older state for longer than a second. */
async function emptyLog(db: DatabaseSync): Promise<void> {
  for (let tried = 1; !emptiesLog(db); tried += 1) {
    if (tried === tries)
      throw new Error(
        'the rows are gone, but another process reads the file and its log cannot be emptied: delete again',
      )
    await new Promise((done) => setTimeout(done, betweenTriesMs))
  }
}

/** Lets what others have asked for meanwhile be done first. */
function othersFirst(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done)
  })
}

/** What the largest of some units takes in the file, roughly: its texts, and as much again for rows and indexes. */
function roomFor(batch: readonly UnitRows[]): number {
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
