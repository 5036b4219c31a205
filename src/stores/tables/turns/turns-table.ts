import type { Lists, Row, Table } from '../../kernel/table.ts'
import { listKinds } from '../list-kinds.ts'
import { memoryTurns } from './memory-turns.ts'
import { postgresTurns } from './postgres-turns.ts'
import { sqliteTurns } from './sqlite-turns.ts'
import type { TurnTypes, TurnWrite } from './turn.ts'
import { writtenItem } from './turn-rows.ts'

/**
 * The log of a session: what each request added to its conversation. It lives as long as its session, whatever becomes of
 * receipts, and holds what the client itself has dropped since.
 */
export const turnsTable: Table<'turns', TurnTypes> = {
  name: 'turns',
  changesSession: true,
  reads: {
    list: (tenant, session) => ({ tenant, session }),
    has: (tenant, session) => ({ tenant, session }),
    search: ({ tenant, session }) => ({ tenant, session }),
    searchTenant: () => undefined,
  },
  encode: ({ requestId, items }: TurnWrite, lists: Lists): Row => [
    requestId,
    lists.append(listKinds.turn, items, writtenItem),
    items.length,
  ],
  memory: memoryTurns,
  sqlite: {
    migrations: [
      `CREATE TABLE turns (session_id INTEGER NOT NULL, turn INTEGER NOT NULL, request_id TEXT NOT NULL, created_ms INTEGER NOT NULL,
        first_item INTEGER NOT NULL, items INTEGER NOT NULL, PRIMARY KEY (session_id, turn)) WITHOUT ROWID`,
    ],
    open: sqliteTurns,
  },
  postgres: postgresTurns,
  relations: [
    {
      name: 'turns',
      columns: ['session_id', 'turn', 'request_id', 'created_ms', 'first_item', 'items'],
      key: ['session_id', 'turn'],
      of: 'session',
    },
  ],
}
