import type { DatabaseSync } from 'node:sqlite'
import { shape } from '../../core/index.ts'
import { hostModule } from '../kernel/host-module.ts'
import { passagesOnRows, usualHeldBytes } from '../passages/passages-on-rows.ts'
import type { Passages } from '../passages/passages.ts'
import { storeFailed } from '../rows/store-client.ts'
import { closeToOthers, makePrivate } from './private-files.ts'
import { sqlitePassageRows } from './sqlite-passage-rows.ts'

/** Options of `sqlitePassages`. */
export interface SqlitePassagesOptions {
  /** A file, or `:memory:`. It is made when missing, for this user alone. It may be the file of a store that has been opened before. */
  readonly path: string
  /** How much may be held of the collections that were searched last, about; 256 MiB by default. */
  readonly heldBytes?: number
}

const optionsShape = shape.object<SqlitePassagesOptions>({ path: shape.name, heldBytes: shape.optional(shape.amount) })

/**
 * Passages in a SQLite file, which processes may share. Vectors are searched in the process: a collection is read once, and then what has
 * changed of it. Throws `store-failed` when the file cannot be opened.
 */
export function sqlitePassages(options: SqlitePassagesOptions): Passages {
  shape.check(optionsShape, options, 'options')
  const { path, heldBytes = usualHeldBytes } = options
  const db = opened(path)
  return passagesOnRows(sqlitePassageRows(db), { vectorIndex: 'in-process', heldBytes })
}

function opened(path: string): DatabaseSync {
  try {
    const isFile = path !== ':memory:'
    if (isFile) makePrivate(path)
    const db = new (hostModule('node:sqlite').DatabaseSync)(path, { timeout: openingMs })
    try {
      refuseForeign(db)
      if (isFile) closeToOthers(path)
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${tables}; PRAGMA busy_timeout = 0`)
    } catch (error) {
      db.close()
      throw error
    }
    return db
  } catch (error) {
    return storeFailed('open', error)
  }
}

/** How long opening may wait for another process that is opening, too. */
const openingMs = 5000

/** As tables of an extension are named, so that a store in the same file deletes a tenant's rows with the others. */
const tables = `
  CREATE TABLE IF NOT EXISTS passages__collections (
    tenant TEXT NOT NULL,
    collection TEXT NOT NULL,
    stamp TEXT NOT NULL,
    PRIMARY KEY (tenant, collection)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS passages__documents (
    tenant TEXT NOT NULL,
    collection TEXT NOT NULL,
    document TEXT NOT NULL,
    stamp TEXT NOT NULL,
    PRIMARY KEY (tenant, collection, document)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS passages__texts (
    tenant TEXT NOT NULL,
    collection TEXT NOT NULL,
    document TEXT NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    vector BLOB,
    PRIMARY KEY (tenant, collection, document, id)
  )`

function refuseForeign(db: DatabaseSync): void {
  const own = "total(name IN ('receipts', 'passages__texts'))"
  const found = db.prepare(`SELECT count(*) AS all_tables, ${own} AS ours FROM sqlite_master`).get()
  if (Number(found?.['all_tables']) > 0 && Number(found?.['ours']) === 0)
    throw new Error('the file is a database of another program')
}
