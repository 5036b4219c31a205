import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { SqliteRows } from '../../kernel/table.ts'
import { usualWeight } from './outcome.ts'
import type { OutcomeTypes } from './outcome.ts'
import { outcomeIn } from './outcome-rows.ts'

export function sqliteOutcomes({ db }: SqliteKernel): SqliteRows<OutcomeTypes> {
  const isThere = db.prepare('SELECT 1 FROM sessions WHERE tenant = ? AND name = ? LIMIT 1')
  const stands = db.prepare(
    'SELECT quality FROM outcomes WHERE tenant = ? AND session = ? AND request_id = ? AND source = ?',
  )
  const put = (how: 'IGNORE' | 'REPLACE') =>
    db.prepare(
      `INSERT OR ${how} INTO outcomes (tenant, session, request_id, source, quality, weight, at_ms, note)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
  const [add, replace] = [put('IGNORE'), put('REPLACE')]
  const list = db.prepare(
    `SELECT request_id, source, quality, weight, at_ms, note FROM outcomes WHERE tenant = ? AND session = ?
     ORDER BY at_ms, request_id, source`,
  )
  // Other lanes of the session may stay.
  const drop = db.prepare(
    `DELETE FROM outcomes WHERE (tenant, session) IN (SELECT tenant, name FROM sessions AS gone WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM sessions WHERE tenant = gone.tenant AND name = gone.name AND id <> gone.id))`,
  )

  return {
    allows([requestId, source, quality, , replaces], { scope: { tenant, session } }) {
      if (!isThere.get(tenant, session)) return false
      const row = stands.get(tenant, session, String(requestId), String(source))
      return replaces === 1 || row === undefined || row['quality'] === quality
    },
    apply([requestId, source, quality, note = null, replaces], { scope: { tenant, session }, nowMs }) {
      const written = [String(requestId), String(source), Number(quality), usualWeight, nowMs, note]
      ;(replaces === 1 ? replace : add).run(tenant, session, ...written)
    },
    reads: { list: (tenant, session) => list.all(tenant, session).map(outcomeIn) },
    dropSession: (sessionId) => Number(drop.run(sessionId).changes),
  }
}
