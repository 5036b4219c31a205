import type { Lists, Row, Table } from '../../kernel/table.ts'
import { listKinds } from '../list-kinds.ts'
import { storedLedger } from '../ledger-rows.ts'
import { memorySessions } from './memory-sessions.ts'
import { postgresSessions } from './postgres-sessions.ts'
import { sqliteSessions } from './sqlite-sessions.ts'
import type { SessionTypes, SessionWrite } from './session-state.ts'

/** The state of each lane of a session: its ledger, its overlay and the tools that were offered. */
export const sessionsTable: Table<'sessions', SessionTypes> = {
  name: 'sessions',
  changesSession: true,
  reads: {
    get: (scope) => scope,
    lanes: (tenant, session) => ({ tenant, session }),
  },
  encode: ({ offeredTools, ledger, overlay }: SessionWrite, lists: Lists): Row => [
    offeredTools && JSON.stringify(offeredTools),
    ledger === undefined ? undefined : ledger && JSON.stringify(storedLedger(lists, ledger)),
    overlay && JSON.stringify(lists.change(listKinds.overlay, overlay)),
  ],
  memory: memorySessions,
  sqlite: { open: sqliteSessions },
  postgres: postgresSessions,
  relations: [
    {
      name: 'session_states',
      columns: ['session_id', 'offered_tools', 'ledger', 'overlay'],
      key: ['session_id'],
      of: 'session',
      sqlite: {
        table: 'sessions',
        from: `(SELECT id AS session_id, offered_tools, ledger, overlay FROM sessions
          WHERE offered_tools <> '[]' OR overlay <> '[]' OR ledger IS NOT NULL)`,
        put: `UPDATE sessions SET offered_tools = given.offered_tools, ledger = given.ledger, overlay = given.overlay
          FROM (SELECT ? AS session_id, ? AS offered_tools, ? AS ledger, ? AS overlay) AS given WHERE id = given.session_id`,
      },
      postgres: {
        from: `(SELECT session_id, offered_tools, ledger, overlay FROM session_states
          WHERE offered_tools <> '[]' OR overlay <> '[]' OR ledger IS NOT NULL)`,
      },
    },
  ],
}
