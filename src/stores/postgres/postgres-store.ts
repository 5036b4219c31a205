import { objectLike, shape } from '../../core/index.ts'
import { knownSessions } from '../rows/known-sessions.ts'
import { storeClient, storeFailed } from '../rows/store-client.ts'
import type { StorePort, ThreadedStore } from '../ports/connected-store.ts'
import { servePort } from '../ports/serve-port.ts'
import { hostModule } from '../kernel/host-module.ts'
import { troubles } from '../kernel/troubles.ts'
import type { Table } from '../kernel/table.ts'
import { tableSet } from '../rows/table-set.ts'
import type { StoreCore } from '../rows/store-core.ts'
import { connections } from './connections.ts'
import { migrate } from './migrate.ts'
import { postgresCore } from './postgres-core.ts'
import { remedyAt, requirePostgresUrl } from './postgres-address.ts'
import { postgresPackage } from './postgres-package.ts'
import { requireSchemaName } from './schema-name.ts'

/** Options of `postgresStore`. */
export interface PostgresStoreOptions {
  /** `postgres://[user[:password]@]host[:port]/database`; `?sslmode=require` for TLS. */
  readonly url: string
  /** The schema that holds the tables. It is made when missing. `prehend` by default. */
  readonly schema?: string
  /** Connections to the server at most; 4 by default. */
  readonly connections?: number
  /** How long the server may take to accept a connection, for a statement or for a lock, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number
  /** How much is remembered of the sessions that were written last, about; 16 MiB by default. */
  readonly rememberedBytes?: number
  /** Those of extensions, beside the built-in ones. */
  readonly tables?: readonly Table[]
}

const optionsShape = shape.object<PostgresStoreOptions>({
  url: shape.name,
  schema: shape.optional(shape.name),
  connections: shape.optional(shape.amount),
  timeoutMs: shape.optional(shape.amount),
  rememberedBytes: shape.optional(shape.amount),
  tables: shape.optional(shape.list(objectLike('a table'))),
})

/**
 * Keeps everything in one schema of a PostgreSQL database, which several processes may share. The package `postgres` must be installed. An
 * acknowledged commit is on the server's disk. Rejects with `store-failed` where the server cannot be reached or refuses the password.
 *
 * ```ts
 * const store = await postgresStore({ url: 'postgres://prehend@127.0.0.1:5432/prehend' })
 * await store.ping()
 * await store.close()
 * ```
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<ThreadedStore> {
  shape.check(optionsShape, options, 'options')
  const { url, schema = 'prehend', connections: most = 4, timeoutMs = 10_000, rememberedBytes } = options
  requirePostgresUrl(url)
  const tables = tableSet(options.tables)
  requireSchemaName(schema)
  const { onTrouble, tell } = troubles()
  const opened = connections(await postgresPackage(), Math.max(1, Math.floor(most)), {
    url,
    schema,
    timeoutMs,
    whenLost: () => tell('lost'),
  })
  const remedy = remedyAt(url)
  try {
    await migrate(opened, { schema, tables })
  } catch (error) {
    await opened.close()
    return storeFailed('open', error, remedy)
  }
  const known = knownSessions(rememberedBytes)
  const core = postgresCore(opened, tables)
  const store = storeClient({ core, tables, known, release: () => opened.close(), remedy })
  return { ...store, connect: (attach) => givePort(core, attach), remedy, onTrouble }
}

/** The thread that opened the store speaks with the server for all others. */
function givePort(core: StoreCore, attach: (port: StorePort) => void): () => void {
  const { port1, port2 } = new (hostModule('node:worker_threads').MessageChannel)()
  servePort(core, port2)
  port2.unref()
  attach(port1)
  return () => port2.close()
}
