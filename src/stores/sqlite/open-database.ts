import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate, refuseForeign } from './schema.ts'

export interface SqliteStoreOptions {
  /** A file, whose folder is made when missing. */
  readonly path: string
  /**
   * What an acknowledged commit survives: the death of the process (`process`, the default) or also of the machine
   * (`power`, which waits for the disk at every commit). Neither can leave a commit half-written.
   */
  readonly durability?: 'process' | 'power'
}

/** How long opening may wait for another process that is opening, too. */
const openingMs = 5000

export function openDatabase({ path, durability = 'process' }: SqliteStoreOptions): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  const db = new DatabaseSync(path, { timeout: openingMs })
  try {
    refuseForeign(db)
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4000')
    // In WAL mode NORMAL writes every commit to the system at once, and to the disk at checkpoints.
    db.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
    migrate(db)
    // From here on whoever holds the lock is waited for without holding up the thread.
    db.exec('PRAGMA busy_timeout = 0')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
