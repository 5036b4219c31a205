import { shape } from '../../core/index.ts'
import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../store.ts'
import { troubles } from '../kernel/troubles.ts'
import type { StoreCore } from '../rows/store-core.ts'
import { tableSet } from '../rows/table-set.ts'
import type { TableSet } from '../rows/table-set.ts'
import { knownSessions } from '../rows/known-sessions.ts'
import { openDatabase } from './open-database.ts'
import { sqliteOptionsShape } from './sqlite-options.ts'
import type { SqliteStoreOptions } from './sqlite-options.ts'
import { fileWatch, replacedError, withFileWatch } from './replaced-file.ts'
import { sqliteCore } from './sqlite-core.ts'
import { storeClient, storeFailed } from '../rows/store-client.ts'
import { usualPatience } from './transactions.ts'

/**
 * Keeps everything in one SQLite file, and works on the thread that calls it. Several processes may share the file. Throws
 * `store-failed` when it cannot be opened.
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  shape.check(sqliteOptionsShape, options, 'options')
  const { onTrouble, tell } = troubles()
  const known = knownSessions(options.rememberedBytes)
  const tables = tableSet(options.tables)
  let db: DatabaseSync
  let core: StoreCore
  const open = (): void => {
    const { db: database, tightened } = opened(options, tables)
    if (tightened.length > 0) options.onTightened?.(tightened)
    const file = fileWatch(options.path)
    db = database
    core = withFileWatch(
      sqliteCore(db, { tables, patience: usualPatience, whenBusy: () => tell('busy') }),
      file,
      () => {
        db.close()
        file.removeOwnLog()
        known.forget()
        tell('replaced')
        open()
        // What was to be written goes on from what was in the old file.
        throw replacedError()
      },
    )
  }
  open()
  const release = async (): Promise<void> => {
    if (db.isOpen) db.close()
  }
  return { ...storeClient({ core: following(() => core), tables, known, release }), ...fileOf(options), onTrouble }
}

/** That of a database that is not in memory. */
export function fileOf({ path }: Pick<SqliteStoreOptions, 'path'>): Pick<Store, 'file'> {
  return path === ':memory:' ? {} : { file: path }
}

/** The core that is in force when it is asked. */
function following(current: () => StoreCore): StoreCore {
  return {
    write: (batch) => current().write(batch),
    read: (table, name, given) => current().read(table, name, given),
    pruneStep: (nowMs, retention) => current().pruneStep(nowMs, retention),
    dropTenantStep: (tenant) => current().dropTenantStep(tenant),
    ping: () => current().ping(),
  }
}

function opened(options: SqliteStoreOptions, tables: TableSet): ReturnType<typeof openDatabase> {
  try {
    return openDatabase(options, tables)
  } catch (error) {
    return storeFailed('open', error)
  }
}
