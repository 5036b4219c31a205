import { invalidInput, shape } from '../../core/index.ts'
import { knownSessions } from '../rows/known-sessions.ts'
import { storeClient, storeFailed } from '../rows/store-client.ts'
import type { Store } from '../store.ts'
import type { Postgres } from './connection.ts'
import { connections } from './connections.ts'
import { migrate } from './migrate.ts'
import { postgresCore } from './postgres-core.ts'
import { missingPackage } from '../kernel/missing-package.ts'

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
}

const optionsShape = shape.object<PostgresStoreOptions>({
  url: shape.name,
  schema: shape.optional(shape.name),
  connections: shape.optional(shape.amount),
  timeoutMs: shape.optional(shape.amount),
  rememberedBytes: shape.optional(shape.amount),
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
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  shape.check(optionsShape, options, 'options')
  const { url, schema = 'prehend', connections: most = 4, timeoutMs = 10_000, rememberedBytes } = options
  if (!/^postgres(ql)?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw invalidInput(
      'options.url',
      'is no address of a PostgreSQL server',
      'Give one such as postgres://127.0.0.1/prehend.',
    )
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw invalidInput('options.schema', 'is no name of a schema', 'Use lower-case letters, digits and _.')
  const opened = connections(await postgresPackage(), Math.max(1, Math.floor(most)), { url, schema, timeoutMs })
  const remedy = remedyAt(url)
  try {
    await migrate(opened, schema)
  } catch (error) {
    await opened.close()
    return storeFailed('open', error, remedy)
  }
  const known = knownSessions(rememberedBytes)
  return storeClient({ core: postgresCore(opened), known, release: () => opened.close(), remedy })
}

async function postgresPackage(): Promise<Postgres> {
  try {
    return (await import('postgres')).default
  } catch (error) {
    throw missingPackage('postgres', 'postgres://', error)
  }
}

/** Names the server without the password. */
function remedyAt(url: string): string {
  const { host, pathname } = new URL(url)
  return `Look whether the server postgres://${host}${pathname} runs, whether the password is right, and whether it can be written to.`
}
