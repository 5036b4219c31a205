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
}
