import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { Ranges, SqliteRows } from '../../kernel/table.ts'
import { restoredLedger, restoredOverlay } from '../ledger-rows.ts'
import type { StoredLedger } from '../ledger-rows.ts'
import type { SessionTypes } from './session-state.ts'

/** Its columns stand in the row of the lane, which the engine makes and counts the versions of. */
export function sqliteSessions({ db, fragments }: SqliteKernel): SqliteRows<SessionTypes> {
  const change = db.prepare(
    `UPDATE sessions SET offered_tools = coalesce(?, offered_tools), overlay = coalesce(?, overlay),
       ledger = CASE ? WHEN 1 THEN ? ELSE ledger END WHERE id = ?`,
  )
  const select = db.prepare(
    'SELECT id, version, offered_tools, overlay, ledger FROM sessions WHERE tenant = ? AND name = ? AND lane = ?',
  )
  const lanes = db.prepare(
    `SELECT lane FROM sessions WHERE tenant = ? AND name = ? AND lane >= ? AND lane < ? || char(0x10FFFF)
     ORDER BY used_ms DESC, id DESC`,
  )
  return {
    apply([offeredTools, ledger, overlay], { sessionId }) {
      if (offeredTools === undefined && ledger === undefined && overlay === undefined) return
      change.run(offeredTools ?? null, overlay ?? null, ledger === undefined ? 0 : 1, ledger ?? null, sessionId)
    },
    reads: {
      get({ tenant, session: name, lane = '' }) {
        const row = select.get(tenant, name, lane)
        if (!row) return undefined
        const { ledger } = row
        const id = Number(row['id'])
        return {
          version: Number(row['version']),
          offeredTools: JSON.parse(String(row['offered_tools'])) as string[],
          overlay: restoredOverlay(fragments, id, JSON.parse(String(row['overlay'])) as Ranges),
          ...(typeof ledger === 'string' && {
            ledger: restoredLedger(fragments, id, JSON.parse(ledger) as StoredLedger),
          }),
        }
      },
      lanes: (tenant, name, beginning = '') =>
        lanes.all(tenant, name, beginning, beginning).map((row) => String(row['lane'])),
    },
  }
}
