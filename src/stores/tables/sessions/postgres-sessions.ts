import type { PostgresTable, Ranges } from '../../kernel/table.ts'
import { restoredLedger, restoredOverlay, wantedOfLedger } from '../ledger-rows.ts'
import type { StoredLedger } from '../ledger-rows.ts'
import { listKinds } from '../list-kinds.ts'
import type { SessionTypes } from './session-state.ts'

/** A row apart from the lane's own, which every unit changes: this one is long. */
export const postgresSessions: PostgresTable<SessionTypes> = {
  migrations: [
    `CREATE TABLE session_states (session_id bigint PRIMARY KEY, offered_tools text NOT NULL, overlay text NOT NULL, ledger text)`,
  ],
  apply(on, [offeredTools, ledger, overlay], { sessionId }) {
    if (offeredTools === undefined && ledger === undefined && overlay === undefined) return
    on.send(
      `INSERT INTO session_states AS old (session_id, offered_tools, overlay, ledger)
       VALUES ($1, coalesce($2::text, '[]'), coalesce($3::text, '[]'), $4)
       ON CONFLICT (session_id) DO UPDATE SET offered_tools = coalesce($2::text, old.offered_tools),
         overlay = coalesce($3::text, old.overlay), ledger = CASE WHEN $5::int = 1 THEN $4 ELSE old.ledger END`,
      sessionId,
      offeredTools,
      overlay,
      ledger,
      ledger === undefined ? 0 : 1,
    )
  },
  reads: (on) => ({
    async get({ tenant, session, lane = '' }) {
      const [row] = await on.all(
        `SELECT id, version, coalesce(offered_tools, '[]') AS offered_tools, coalesce(overlay, '[]') AS overlay, ledger
         FROM sessions LEFT JOIN session_states ON session_id = id WHERE tenant = $1 AND name = $2 AND lane = $3`,
        tenant,
        session,
        lane,
      )
      if (!row) return undefined
      const id = Number(row['id'])
      const overlay = JSON.parse(String(row['overlay'])) as Ranges
      const ledger = typeof row['ledger'] === 'string' && (JSON.parse(row['ledger']) as StoredLedger)
      const fragments = await on.fragments(id, [
        [listKinds.overlay, overlay],
        ...(ledger ? wantedOfLedger(ledger) : []),
      ])
      return {
        version: Number(row['version']),
        offeredTools: JSON.parse(String(row['offered_tools'])) as string[],
        overlay: restoredOverlay(fragments, id, overlay),
        ...(ledger && { ledger: restoredLedger(fragments, id, ledger) }),
      }
    },
    async lanes(tenant, session, beginning = '') {
      const rows = await on.all(
        `SELECT lane FROM sessions WHERE tenant = $1 AND name = $2 AND starts_with(lane, $3) ORDER BY used_ms DESC, id DESC`,
        tenant,
        session,
        beginning,
      )
      return rows.map((row) => String(row['lane']))
    },
  }),
  async dropSessions(on, ids) {
    await on.run('DELETE FROM session_states WHERE session_id = ANY($1::bigint[])', ids)
    return 0
  },
}
