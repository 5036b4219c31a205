import type { DatabaseSync } from 'node:sqlite'
import { hostModule } from '../kernel/host-module.ts'
import type { TableSet } from '../rows/table-set.ts'
import { closeToOthers, makePrivate, openToOthers } from './private-files.ts'
import { migrate, refuseForeign } from './schema.ts'
import type { OpenOptions } from './sqlite-options.ts'

export interface OpenedDatabase {
  readonly db: DatabaseSync
  readonly tightened: readonly string[]
}

/** How long opening may wait for another process that is opening, too. */
const openingMs = 5000

export function openDatabase({ path, durability = 'process' }: OpenOptions, tables: TableSet): OpenedDatabase {
  const sqlite = hostModule('node:sqlite')
  const isFile = path !== ':memory:'
  if (isFile) makePrivate(path)
  const open = isFile ? openToOthers(path) : []
  const db = new sqlite.DatabaseSync(path, { timeout: openingMs })
  try {
    refuseForeign(db)
    // What SQLite makes beside the file is as open as the file.
    const closed = isFile ? closeToOthers(path) : []
    const tightened = closed.filter((one) => open.includes(one))
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4000')
    // In WAL mode NORMAL writes every commit to the system at once, and to the disk at checkpoints.
    db.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
    migrate(db, tables)
    // From here on whoever holds the lock is waited for without holding up the thread.
    db.exec('PRAGMA busy_timeout = 0')
    return { db, tightened }
  } catch (error) {
    db.close()
    throw error
  }
}
