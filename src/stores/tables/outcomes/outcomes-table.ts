import type { Row, Table } from '../../kernel/table.ts'
import { memoryOutcomes } from './memory-outcomes.ts'
import type { OutcomeTypes, OutcomeWrite } from './outcome.ts'
import { postgresOutcomes } from './postgres-outcomes.ts'
import { sqliteOutcomes } from './sqlite-outcomes.ts'

/** How good requests and sessions turned out. An outcome belongs to all lanes of its session, and goes with the last of them. */
export const outcomesTable: Table<'outcomes', OutcomeTypes> = {
  name: 'outcomes',
  changesSession: false,
  reads: { list: (tenant, session) => ({ tenant, session }) },
  encode: ({ requestId, source, quality, note, replace }: OutcomeWrite): Row => [
    requestId ?? '',
    source,
    quality,
    note ?? null,
    replace === true ? 1 : 0,
  ],
  memory: memoryOutcomes,
  sqlite: {
    migrations: [
      `CREATE TABLE outcomes (tenant TEXT NOT NULL, session TEXT NOT NULL, request_id TEXT NOT NULL, source TEXT NOT NULL,
        quality REAL NOT NULL, weight REAL NOT NULL, at_ms INTEGER NOT NULL, note TEXT,
        PRIMARY KEY (tenant, session, request_id, source)) WITHOUT ROWID`,
    ],
    open: sqliteOutcomes,
  },
  postgres: postgresOutcomes,
  relations: [
    {
      name: 'outcomes',
      columns: ['tenant', 'session', 'request_id', 'source', 'quality', 'weight', 'at_ms', 'note'],
      key: ['tenant', 'session', 'request_id', 'source'],
      of: 'tenant',
    },
  ],
}
