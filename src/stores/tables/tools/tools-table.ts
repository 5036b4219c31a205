import type { Table } from '../../kernel/table.ts'
import { memoryTools } from './memory-tools.ts'
import { postgresTools } from './postgres-tools.ts'
import { sqliteTools } from './sqlite-tools.ts'
import type { ToolTypes } from './tool-record.ts'
import { callColumns, toolRow } from './tool-rows.ts'

/**
 * Tools of a tenant, what is remembered of those of sources, and what became of them: a row for each call, which goes when a receipt of its
 * age would, and sums that stay.
 */
export const toolsTable: Table<'tools', ToolTypes> = {
  name: 'tools',
  changesSession: false,
  reads: {
    get: (tenant) => ({ tenant, session: '' }),
    list: (tenant) => ({ tenant, session: '' }),
    usage: () => undefined,
    calls: () => undefined,
  },
  encode: toolRow,
  memory: memoryTools,
  sqlite: {
    migrations: [
      `CREATE TABLE tools (tenant TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL, written_ms INTEGER NOT NULL,
        PRIMARY KEY (tenant, id)) WITHOUT ROWID;
       CREATE TABLE tool_calls (tenant TEXT NOT NULL, id TEXT NOT NULL, tool TEXT NOT NULL, outcome TEXT NOT NULL, took_ms INTEGER NOT NULL,
        tokens INTEGER NOT NULL, at_ms INTEGER NOT NULL, session TEXT, request_id TEXT, PRIMARY KEY (tenant, id)) WITHOUT ROWID;
       CREATE INDEX tool_calls_by_age ON tool_calls (at_ms);
       CREATE INDEX tool_calls_of_tenant ON tool_calls (tenant, at_ms);
       CREATE TABLE tool_sums (tenant TEXT NOT NULL, tool TEXT NOT NULL, offered INTEGER NOT NULL, called INTEGER NOT NULL,
        failed INTEGER NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (tenant, tool)) WITHOUT ROWID;`,
    ],
    open: sqliteTools,
  },
  postgres: postgresTools,
  relations: [
    { name: 'tools', columns: ['tenant', 'id', 'kind', 'value', 'written_ms'], key: ['tenant', 'id'], of: 'tenant' },
    { name: 'tool_calls', columns: callColumns, key: ['tenant', 'id'], of: 'tenant' },
    {
      name: 'tool_sums',
      columns: ['tenant', 'tool', 'offered', 'called', 'failed', 'tokens'],
      key: ['tenant', 'tool'],
      of: 'tenant',
    },
  ],
}
