import { shape } from '../../../core/index.ts'
import type { MessagePort } from 'node:worker_threads'
import type { Store } from '../../store.ts'
import { knownSessions } from '../../rows/known-sessions.ts'
import { sqliteOptionsShape } from '../sqlite-options.ts'
import type { SqliteStoreOptions } from '../sqlite-options.ts'
import { fileOf } from '../sqlite-store.ts'
import { storeClient, storeFailed } from '../../rows/store-client.ts'
import { portCore } from './port-core.ts'
import { storeThread } from './store-thread.ts'

/** One end of a channel of `node:worker_threads`: a `MessagePort`. Declared so that users need no declarations of Node. */
export type StorePort = object

export interface ThreadedStore extends Store {
  /**
   * Gives out a port for a client in another thread (`connectedStore`), now and again whenever the store's thread had to be
   * started again. The returned function ends that. The store must stay open as long as its clients.
   */
  connect(attach: (port: StorePort) => void): () => void
}

/**
 * The same as `sqliteStore`, on a thread of its own: whatever the disk or another process does, the thread that calls it goes
 * on. For servers. Rejects with `store-failed` when the file cannot be opened.
 */
export async function threadedSqliteStore(settings: SqliteStoreOptions): Promise<ThreadedStore> {
  shape.check(sqliteOptionsShape, settings, 'options')
  const { rememberedBytes, ...options } = settings
  const thread = await storeThread(options).catch((error: unknown) => storeFailed('open', error))
  const { store, attach } = connectedStore(() => thread.close(), {
    ...(rememberedBytes !== undefined && { rememberedBytes }),
  })
  thread.connect(attach)
  return { ...store, ...fileOf(settings), connect: thread.connect, onTrouble: thread.onTrouble }
}

/** A client of a store that is open in another thread, from the ports that its `connect` gives out. */
export interface ConnectedStore {
  readonly store: Store
  attach(port: StorePort): void
}

export function connectedStore(
  release: () => Promise<void> = async () => undefined,
  { rememberedBytes }: Pick<SqliteStoreOptions, 'rememberedBytes'> = {},
): ConnectedStore {
  const core = portCore()
  const known = knownSessions(rememberedBytes)
  const store = storeClient({
    core,
    known,
    release: async () => {
      await release()
      core.detach()
    },
  })
  return {
    store,
    attach(port) {
      known.forget()
      core.attach(port as MessagePort)
    },
  }
}
