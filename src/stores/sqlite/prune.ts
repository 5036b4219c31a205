import type { DatabaseSync } from 'node:sqlite'
import { addedPruned } from '../kernel/retention.ts'
import type { Pruned, Retention } from '../kernel/retention.ts'
import type { CorePruneStep } from '../rows/store-core.ts'
import type { OpenTables } from './open-tables.ts'

/** Sessions removed in one transaction, so that requests get their turn in between. */
export const sessionsAtOnce = 20

/** Removes a lane with all that belongs to it. */
export function sessionDropper(db: DatabaseSync, { texts, search, byName }: OpenTables): (id: number) => Pruned {
  const fragmentsOf = db.prepare('DELETE FROM fragments WHERE session_id = ?')
  const sessionRow = db.prepare('DELETE FROM sessions WHERE id = ?')

  return (id) => {
    const rows = [...byName].map(([name, table]) => ({ [name]: table.dropSession?.(id) ?? 0 }))
    fragmentsOf.run(id)
    search.drop(id)
    texts.release(id)
    sessionRow.run(id)
    return rows.reduce(addedPruned, { sessions: 1 })
  }
}

/** Removes a little of what has outlived its keep; call it until there is no more. */
export function sqlitePruner(
  db: DatabaseSync,
  tables: OpenTables,
): (nowMs: number, retention: Retention) => CorePruneStep {
  const idle = db.prepare('SELECT id FROM sessions WHERE used_ms < ? LIMIT ?')
  const idleOf = db.prepare('SELECT id FROM sessions WHERE tenant = ? AND used_ms < ? LIMIT ?')
  const dropSession = sessionDropper(db, tables)
  return (nowMs, retention) => {
    const { sessionIdleMs, tenants = {} } = retention
    const found = [
      ...idle.all(nowMs - sessionIdleMs, sessionsAtOnce),
      ...Object.entries(tenants).flatMap(([tenant, kept]) =>
        idleOf.all(tenant, nowMs - kept.sessionIdleMs, sessionsAtOnce),
      ),
    ]
    const sessions = [...new Set(found.map((row) => Number(row['id'])))].slice(0, sessionsAtOnce)
    let pruned: Pruned = sessions.map(dropSession).reduce(addedPruned, {})
    let more = sessions.length === sessionsAtOnce
    for (const [name, table] of tables.byName) {
      const step = table.prune?.(nowMs, retention)
      if (!step) continue
      pruned = addedPruned(pruned, { [name]: step.rows })
      more ||= step.more
    }
    return { pruned, more }
  }
}
