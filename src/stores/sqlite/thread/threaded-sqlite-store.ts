import { shape } from '../../../core/index.ts'
import { connectedStore } from '../../ports/connected-store.ts'
import type { ThreadedStore } from '../../ports/connected-store.ts'
import { storeFailed } from '../../rows/store-client.ts'
import { tablesOfModules } from '../../rows/extension-tables.ts'
import { threadedOptionsShape } from '../sqlite-options.ts'
import type { ThreadedSqliteOptions } from '../sqlite-options.ts'
import { fileOf } from '../sqlite-store.ts'
import { storeThread } from './store-thread.ts'

/**
 * The same as `sqliteStore`, on a thread of its own: whatever the disk or another process does, the thread that calls it goes
 * on. For servers. Rejects with `store-failed` when the file cannot be opened.
 */
export async function threadedSqliteStore(settings: ThreadedSqliteOptions): Promise<ThreadedStore> {
  shape.check(threadedOptionsShape, settings, 'options')
  const { rememberedBytes, ...options } = settings
  const tables = await tablesOfModules(options.modules ?? [])
  const thread = await storeThread(options).catch((error: unknown) => storeFailed('open', error))
  const { store, attach } = connectedStore(() => thread.close(), {
    tables,
    ...(rememberedBytes !== undefined && { rememberedBytes }),
  })
  thread.connect(attach)
  return { ...store, ...fileOf(settings), connect: thread.connect, onTrouble: thread.onTrouble }
}
