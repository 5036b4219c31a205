import { connections } from './connections.ts'
import { schemaState } from './migrate.ts'
import { hasPgvector, keptVectors } from './passage-tables.ts'
import type { SchemaState } from './schema-state.ts'
import { postgresPlace, remedyAt, requirePostgresUrl } from './postgres-address.ts'
import { postgresPackage } from './postgres-package.ts'
import type { SealedKey } from '../tables/provider-keys/sealed-key.ts'
import { storedProviderKeys } from '../tables/provider-keys/stored-provider-keys.ts'
import type { RevisionedValue } from '../tables/revisioned-table.ts'
import { storeFailed } from '../rows/store-client.ts'

export interface PostgresExamination {
  /** Without credentials. */
  readonly place: string
  /** Such as `15.14`. */
  readonly serverVersion: string
  /** Whether the tables are up to date, older, or missing; opening the store makes them so. */
  readonly schema: SchemaState
  /** Whether this user may write what a store writes, and make what is missing. */
  readonly isWritable: boolean
  readonly passages: ExaminedPassages
  /** Keys of tenants for providers, still encrypted; none where the tables are not up to date. */
  readonly providerKeys: readonly RevisionedValue<SealedKey>[]
}

export interface ExaminedPassages {
  /** What vectors of collections are kept as; undefined before the first time that passages were opened here. */
  readonly kept: 'pgvector' | 'bytea' | undefined
  /** Whether the server has pgvector. */
  readonly hasPgvector: boolean
}

const patienceMs = 5000

/** Looks at a database without changing it. Rejects with `store-failed` where it cannot be used, or a newer version has written it. */
export async function examinePostgresStore(url: string, schema = 'prehend'): Promise<PostgresExamination> {
  requirePostgresUrl(url)
  const opened = connections(await postgresPackage(), 1, { url, schema, timeoutMs: patienceMs })
  try {
    return await opened.transaction('BEGIN READ ONLY', async (on) => {
      const state = await schemaState(on, { schema })
      const { rows } = await on.ask(
        `SELECT current_setting('server_version') AS version, current_setting('default_transaction_read_only') = 'on' OR pg_is_in_recovery() AS is_read_only, (${mayWrite(state)}) AS may_write`,
        state === 'missing' ? [] : [`"${schema}".sessions`],
      )
      const row = rows[0]
      const keys = state === 'current' ? (await on.ask(storedProviderKeys.sql)).rows : []
      return {
        place: postgresPlace(url),
        serverVersion: String(row?.['version']).split(' ')[0] ?? '',
        schema: state,
        isWritable: row?.['may_write'] === true && row['is_read_only'] !== true,
        passages: { kept: (await keptVectors(on, schema))?.kind, hasPgvector: await hasPgvector(on) },
        providerKeys: keys.map(storedProviderKeys.of),
      }
    })
  } catch (error) {
    return storeFailed('be used', error, remedyAt(url))
  } finally {
    await opened.close()
  }
}

/** A schema that is older may only be changed by its owner; the server says so when it is opened. */
function mayWrite(state: SchemaState): string {
  if (state === 'missing') return `has_database_privilege(current_database(), 'CREATE')`
  const rights = ['INSERT', 'UPDATE', 'DELETE']
  return rights.map((right) => `has_table_privilege($1, '${right}')`).join(' AND ')
}
