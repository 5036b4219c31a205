import type { DatabaseSync } from 'node:sqlite'
import { costColumns, costIn, costMembers, isDollars } from './cost-columns.ts'
import type { SessionCost, SessionQuery, SessionSummary } from './session-cost.ts'

export interface CostTable {
  /** Adds to what a session has cost, whose number this is. */
  add(sessionId: number, cost: SessionCost): void
  sessions(tenant: string, query: SessionQuery): readonly SessionSummary[]
  drop(sessionId: number): void
}

function addedTo(column: string): string {
  const sum = `${column} + excluded.${column}`
  return `${column} = ${isDollars(column) ? `round(${sum}, 12)` : sum}`
}

/** The index of the table's own UNIQUE; the planner prefers one that covers more and has to be read whole. */
const byName = 'sqlite_autoindex_sessions_1'

export function costTable(db: DatabaseSync): CostTable {
  const add = db.prepare(
    `INSERT INTO costs (session_id, ${costColumns.join(', ')}) VALUES (?${', ?'.repeat(costColumns.length)})
     ON CONFLICT (session_id) DO UPDATE SET ${costColumns.map(addedTo).join(', ')}`,
  )
  const costOf = db.prepare(
    `SELECT max(used_ms) AS used_ms, ${costColumns.map((name) => `total(${name}) AS ${name}`).join(', ')}
     FROM sessions INDEXED BY ${byName} LEFT JOIN costs ON session_id = id WHERE tenant = ? AND name = ?`,
  )
  const drop = db.prepare('DELETE FROM costs WHERE session_id = ?')
  const newest = newestSessions(db)
  const summary = (tenant: string, session: string): SessionSummary | undefined => {
    const row = costOf.get(tenant, session)
    if (!row || row['used_ms'] === null) return undefined
    return { session, usedMs: Number(row['used_ms']), cost: costIn(row) }
  }
  return {
    add(sessionId, cost) {
      add.run(sessionId, ...costMembers.map((name) => cost[name]))
    },
    sessions(tenant, query) {
      const names = query.session === undefined ? newest(tenant, query) : [query.session]
      return names.flatMap((name) => summary(tenant, name) ?? [])
    },
    drop: (sessionId) => void drop.run(sessionId),
  }
}

/**
 * Names of sessions by the lane that was last written to, and then by name, from an index that holds nothing else: what a row of a session
 * holds is long.
 */
function newestSessions(db: DatabaseSync): (tenant: string, query: SessionQuery) => readonly string[] {
  const walk = db.prepare(
    `SELECT name, used_ms FROM sessions INDEXED BY sessions_listed
     WHERE tenant = ? AND used_ms <= ? AND (used_ms, name) < (?, ?) ORDER BY used_ms DESC, name DESC`,
  )
  const isNewer = db.prepare(
    `SELECT 1 FROM sessions INDEXED BY ${byName} WHERE tenant = ? AND name = ? AND used_ms > ? LIMIT 1`,
  )
  return (tenant, { limit, after }) => {
    const names = new Set<string>()
    const { usedMs = Number.MAX_SAFE_INTEGER, session = '' } = after ?? {}
    for (const row of walk.iterate(tenant, usedMs, usedMs, session)) {
      const name = String(row['name'])
      const isOfPageBefore = after !== undefined && isNewer.get(tenant, name, Number(row['used_ms'])) !== undefined
      if (!isOfPageBefore) names.add(name)
      if (names.size === limit) break
    }
    return [...names]
  }
}
