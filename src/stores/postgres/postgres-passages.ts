import { shape } from '../../core/index.ts'
import { passagesOnRows, usualHeldBytes } from '../passages/passages-on-rows.ts'
import type { Passages } from '../passages/passages.ts'
import { storeFailed } from '../rows/store-client.ts'
import { connections } from './connections.ts'
import { openPassageTables } from './passage-tables.ts'
import { remedyAt, requirePostgresUrl } from './postgres-address.ts'
import { postgresPackage } from './postgres-package.ts'
import { postgresPassageRows } from './postgres-passage-rows.ts'
import { requireSchemaName } from './schema-name.ts'

/** Options of `postgresPassages`. */
export interface PostgresPassagesOptions {
  /** `postgres://[user[:password]@]host[:port]/database`; `?sslmode=require` for TLS. */
  readonly url: string
  /** The schema that holds the tables; that of a store may have them, too. It is made when missing. `prehend` by default. */
  readonly schema?: string
  /** Connections to the server at most; 2 by default. */
  readonly connections?: number
  /** How long the server may take to accept a connection, for a statement or for a lock, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number
  /** How much may be held of the collections that were searched last, about; 256 MiB by default. */
  readonly heldBytes?: number
}

const optionsShape = shape.object<PostgresPassagesOptions>({
  url: shape.name,
  schema: shape.optional(shape.name),
  connections: shape.optional(shape.amount),
  timeoutMs: shape.optional(shape.amount),
  heldBytes: shape.optional(shape.amount),
})

/**
 * Passages in a schema of a PostgreSQL database, which processes may share. Where the server has pgvector and the role may create it, the
 * database compares vectors; elsewhere the process does, and `vectorIndex` says so. Words are always searched in the process. The package
 * `postgres` must be installed. Rejects with `store-failed` where the server cannot be reached or refuses the password.
 */
export async function postgresPassages(options: PostgresPassagesOptions): Promise<Passages> {
  shape.check(optionsShape, options, 'options')
  const { url, schema = 'prehend', connections: most = 2, timeoutMs = 10_000, heldBytes = usualHeldBytes } = options
  requirePostgresUrl(url)
  requireSchemaName(schema)
  const opened = connections(await postgresPackage(), Math.max(1, Math.floor(most)), { url, schema, timeoutMs })
  const remedy = remedyAt(url)
  try {
    const kept = await openPassageTables(opened, schema)
    const vectorIndex = kept.kind === 'pgvector' ? 'pgvector' : 'in-process'
    return passagesOnRows(postgresPassageRows(opened, kept), { vectorIndex, heldBytes, remedy })
  } catch (error) {
    await opened.close()
    return storeFailed('open', error, remedy)
  }
}
