import type { DatabaseSync } from 'node:sqlite'
import { hostModule } from '../kernel/host-module.ts'
import { openToOthers } from './private-files.ts'
import { refuseForeign, requireKnown } from './schema.ts'
import { trialRow } from './trial-row.ts'
import { builtInTables } from '../rows/table-set.ts'
import { storeFailed } from '../rows/store-client.ts'

export interface StoreExamination {
  /** What SQLite found wrong with the file; empty where it is whole. */
  readonly damage: readonly string[]
  /** Files and folders that other users may read. */
  readonly openToOthers: readonly string[]
}

/** How long another process's lock is waited for. */
const lockMs = 2000
const mostDamage = 10
/** What a large request takes. */
const trialChars = 1_000_000

/** Looks at the file of a store that is there, and whether it can be written. Throws `store-failed` where it cannot be used. */
export function examineSqliteStore(path: string): StoreExamination {
  try {
    const open = openToOthers(path)
    const sqlite = hostModule('node:sqlite')
    const db = new sqlite.DatabaseSync(path, { timeout: lockMs })
    try {
      refuseForeign(db)
      const isWritten = requireKnown(db, builtInTables) > 0
      const found = db.prepare(`PRAGMA quick_check(${mostDamage})`).all()
      if (isWritten) tryOut(db)
      const damage = found.map((row) => String(row['quick_check'])).filter((said) => said !== 'ok')
      return { damage, openToOthers: open }
    } finally {
      db.close()
    }
  } catch (error) {
    return storeFailed('be used', error)
  }
}

function tryOut(db: DatabaseSync): void {
  const trial = trialRow(db)
  trial.put(trialChars)
  trial.remove()
}
