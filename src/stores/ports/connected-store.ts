import type { MessagePort } from 'node:worker_threads'
import type { Table } from '../kernel/table.ts'
import { tableSet } from '../rows/table-set.ts'
import { knownSessions } from '../rows/known-sessions.ts'
import { storeClient } from '../rows/store-client.ts'
import type { Store } from '../store.ts'
import { portCore } from './port-core.ts'

/** One end of a channel of `node:worker_threads`: a `MessagePort`. Declared so that users need no declarations of Node. */
export type StorePort = object

export interface ThreadedStore extends Store {
  /**
   * Gives out a port for a client in another thread (`connectedStore`), now and again whenever the store's thread had to be
   * started again. The returned function ends that. The store must stay open as long as its clients.
   */
  connect(attach: (port: StorePort) => void): () => void
  /** What to do about a failure, for `connectedStore`; that of a file where missing. */
  readonly remedy?: string
}

/** A client of a store that is open in another thread, from the ports that its `connect` gives out. */
export interface ConnectedStore {
  readonly store: Store
  /** Connects to a port. After a new port, requests go there. */
  attach(port: StorePort): void
  /** The same store with other tables of extensions, on the same port. It is closed with the first one. */
  withTables(tables: readonly Table[]): Store
}

/** Options of `connectedStore`. */
export interface ConnectedOptions {
  /** How much is remembered of the sessions that were written last, about; 16 MiB by default. */
  readonly rememberedBytes?: number
  /** That of the `ThreadedStore`. */
  readonly remedy?: string | undefined
  /** Those of extensions that the store was opened with. */
  readonly tables?: readonly Table[]
}

/** Opens the client of a store of another thread. `release` is called when its store is closed. */
export function connectedStore(
  release: () => Promise<void> = async () => undefined,
  { rememberedBytes, remedy, tables }: ConnectedOptions = {},
): ConnectedStore {
  const core = portCore()
  const known = knownSessions(rememberedBytes)
  const store = storeClient({
    core,
    tables: tableSet(tables),
    known,
    ...(remedy !== undefined && { remedy }),
    release: async () => {
      await release()
      core.detach()
    },
  })
  const withTables = (others: readonly Table[]): Store =>
    storeClient({
      core,
      tables: tableSet(others),
      ...(remedy !== undefined && { remedy }),
      release: async () => undefined,
    })
  return {
    store,
    withTables,
    attach(port) {
      known.forget()
      core.attach(port as MessagePort)
    },
  }
}
