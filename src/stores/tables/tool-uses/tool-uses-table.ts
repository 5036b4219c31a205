import type { Row, Table } from '../../kernel/table.ts'
import { memoryToolUses } from './memory-tool-uses.ts'
import { postgresToolUses } from './postgres-tool-uses.ts'
import { sqliteToolUses } from './sqlite-tool-uses.ts'
import { toolUseColumns } from './tool-uses.ts'
import type { ToolUseChange, ToolUsesTypes, ToolUsesWrite } from './tool-uses.ts'

/** How a tenant's conversations have used its clients' tools. It outlives sessions, and goes when it was not written for as long as an idle session is kept. */
export const toolUsesTable: Table<'tool-uses', ToolUsesTypes> = {
  name: 'tool-uses',
  changesSession: false,
  reads: { all: () => undefined },
  encode: ({ uses }: ToolUsesWrite): Row => [JSON.stringify(uses.map(cellsOf))],
  memory: memoryToolUses,
  sqlite: {
    migrations: [
      `CREATE TABLE tool_uses (tenant TEXT NOT NULL, name TEXT NOT NULL, offered INTEGER NOT NULL, called INTEGER NOT NULL,
        failed INTEGER NOT NULL, sessions INTEGER NOT NULL, called_in INTEGER NOT NULL, queries TEXT, written_ms INTEGER NOT NULL,
        PRIMARY KEY (tenant, name)) WITHOUT ROWID;
       CREATE INDEX tool_uses_by_age ON tool_uses (written_ms)`,
    ],
    open: sqliteToolUses,
  },
  postgres: postgresToolUses,
  relations: [{ name: 'tool_uses', columns: ['tenant', ...toolUseColumns], key: ['tenant', 'name'], of: 'tenant' }],
}

function cellsOf({ name, offered, called, failed, sessions, calledIn, queries }: ToolUseChange): Row {
  return [name, offered, called, failed, sessions, calledIn, queries === undefined ? null : JSON.stringify(queries)]
}
