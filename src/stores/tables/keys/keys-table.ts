import type { Table } from '../../kernel/table.ts'
import { keyRow } from './key-rows.ts'
import { memoryKeys } from './memory-keys.ts'
import { postgresKeys } from './postgres-keys.ts'
import { sqliteKeys } from './sqlite-keys.ts'
import type { KeyTypes } from './virtual-key.ts'

/** Virtual keys of tenants. They stay until their tenant goes, also when they are revoked. */
export const keysTable: Table<'keys', KeyTypes> = {
  name: 'keys',
  changesSession: false,
  reads: {
    byHash: () => undefined,
    get: (tenant) => ({ tenant, session: '' }),
    list: ({ tenant }) => (tenant === undefined ? undefined : { tenant, session: '' }),
    tenants: () => undefined,
  },
  encode: keyRow,
  memory: memoryKeys,
  sqlite: {
    migrations: [
      `CREATE TABLE keys (tenant TEXT NOT NULL, id TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL,
        revision INTEGER NOT NULL, value TEXT NOT NULL, used_ms INTEGER, PRIMARY KEY (tenant, id)) WITHOUT ROWID;
       CREATE INDEX keys_by_age ON keys (created_ms, id);
       CREATE INDEX keys_of_tenant_by_age ON keys (tenant, created_ms, id);`,
    ],
    open: sqliteKeys,
  },
  postgres: postgresKeys,
  relations: [
    {
      name: 'keys',
      columns: ['tenant', 'id', 'hash', 'created_ms', 'revision', 'value', 'used_ms'],
      key: ['tenant', 'id'],
      of: 'tenant',
    },
  ],
}
