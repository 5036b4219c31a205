import { shape } from '../../core/index.ts'
import type { Store } from '../store.ts'
import { troubles } from '../troubles.ts'
import { knownSessions } from './known-sessions.ts'
import { openDatabase } from './open-database.ts'
import { sqliteOptionsShape } from './sqlite-options.ts'
import type { SqliteStoreOptions } from './sqlite-options.ts'
import { sqliteCore } from './sqlite-core.ts'
import { storeClient, storeFailed } from './store-client.ts'
import { usualPatience } from './transactions.ts'

/**
 * Keeps everything in one SQLite file, and works on the thread that calls it. Several processes may share the file. Throws
 * `store-failed` when it cannot be opened.
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  shape.check(sqliteOptionsShape, options, 'options')
  const { db, tightened } = opened(options)
  if (tightened.length > 0) options.onTightened?.(tightened)
  const { onTrouble, tell } = troubles()
  const core = sqliteCore(db, { patience: usualPatience, whenBusy: () => tell('busy') })
  const release = async (): Promise<void> => {
    if (db.isOpen) db.close()
  }
  return { ...storeClient({ core, known: knownSessions(options.rememberedBytes), release }), onTrouble }
}

function opened(options: SqliteStoreOptions): ReturnType<typeof openDatabase> {
  try {
    return openDatabase(options)
  } catch (error) {
    return storeFailed('open', error)
  }
}
