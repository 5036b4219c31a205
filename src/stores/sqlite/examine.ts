import type { DatabaseSync } from 'node:sqlite'
import { hostModule } from '../kernel/host-module.ts'
import { openToOthers } from './private-files.ts'
import { refuseForeign, requireKnown } from './schema.ts'
import { trialRow } from './trial-row.ts'
import type { SealedKey } from '../tables/provider-keys/sealed-key.ts'
import { storedProviderKeys } from '../tables/provider-keys/stored-provider-keys.ts'
import type { RevisionedValue } from '../tables/revisioned-table.ts'
import { builtInTables } from '../rows/table-set.ts'
import { storeFailed } from '../rows/store-client.ts'

export interface StoreExamination {
  /** What SQLite found wrong with the file; empty where it is whole. */
  readonly damage: readonly string[]
  /** Files and folders that other users may read. */
  readonly openToOthers: readonly string[]
  /** Keys of tenants for providers, still encrypted; none where the table is not there yet. */
  readonly providerKeys: readonly RevisionedValue<SealedKey>[]
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
      return { damage, openToOthers: open, providerKeys: damage.length === 0 ? providerKeysIn(db) : [] }
    } finally {
      db.close()
    }
  } catch (error) {
    return storeFailed('be used', error)
  }
}

function providerKeysIn(db: DatabaseSync): StoreExamination['providerKeys'] {
  const isThere = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'provider_keys'").get() !== undefined
  return isThere ? db.prepare(storedProviderKeys.sql).all().map(storedProviderKeys.of) : []
}

function tryOut(db: DatabaseSync): void {
  const trial = trialRow(db)
  trial.put(trialChars)
  trial.remove()
}
