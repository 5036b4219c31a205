import type { DatabaseSync } from 'node:sqlite'
import { wholeUsd } from '../whole-usd.ts'
import type { SessionCost, SessionQuery, SessionSummary } from '../store.ts'

export interface CostTable {
  /** Adds to what a session has cost, whose number this is. */
  add(sessionId: number, cost: SessionCost): void
  sessions(tenant: string, query: SessionQuery): readonly SessionSummary[]
}

/** The index of the table's own UNIQUE; the planner prefers one that covers more and has to be read whole. */
const byName = 'sqlite_autoindex_sessions_1'

export function costTable(db: DatabaseSync): CostTable {
  const add = db.prepare(
    `INSERT INTO costs (session_id, requests, priced, input_tokens, pass_through_tokens, usd, pass_through_usd)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session_id) DO UPDATE SET
       requests = requests + excluded.requests,
       priced = priced + excluded.priced,
       input_tokens = input_tokens + excluded.input_tokens,
       pass_through_tokens = pass_through_tokens + excluded.pass_through_tokens,
       usd = round(usd + excluded.usd, 12),
       pass_through_usd = round(pass_through_usd + excluded.pass_through_usd, 12)`,
  )
  const costOf = db.prepare(
    `SELECT max(used_ms) AS used_ms, total(requests) AS requests, total(priced) AS priced,
       total(input_tokens) AS input_tokens, total(pass_through_tokens) AS pass_through_tokens,
       total(usd) AS usd, total(pass_through_usd) AS pass_through_usd
     FROM sessions INDEXED BY ${byName} LEFT JOIN costs ON session_id = id WHERE tenant = ? AND name = ?`,
  )
  const newest = newestSessions(db)
  const summary = (tenant: string, session: string): SessionSummary | undefined => {
    const row = costOf.get(tenant, session)
    if (!row || row['used_ms'] === null) return undefined
    return {
      session,
      usedMs: Number(row['used_ms']),
      cost: {
        requests: Number(row['requests']),
        priced: Number(row['priced']),
        inputTokens: Number(row['input_tokens']),
        passThroughTokens: Number(row['pass_through_tokens']),
        usd: wholeUsd(Number(row['usd'])),
        passThroughUsd: wholeUsd(Number(row['pass_through_usd'])),
      },
    }
  }
  return {
    add(sessionId, { requests, priced, inputTokens, passThroughTokens, usd, passThroughUsd }) {
      add.run(sessionId, requests, priced, inputTokens, passThroughTokens, usd, passThroughUsd)
    },
    sessions(tenant, query) {
      const names = query.session === undefined ? newest(tenant, query) : [query.session]
      return names.flatMap((name) => summary(tenant, name) ?? [])
    },
  }
}

/**
 * Names of sessions by the lane that was last written to, and then by name, from an index that holds nothing else: what a row of a session
 * holds is long.
 */
function newestSessions(db: DatabaseSync): (tenant: string, query: SessionQuery) => readonly string[] {
  const walk = db.prepare(
    `SELECT name, used_ms FROM sessions INDEXED BY sessions_listed
     WHERE tenant = ?1 AND used_ms <= ?2 AND (used_ms, name) < (?2, ?3) ORDER BY used_ms DESC, name DESC`,
  )
  const isNewer = db.prepare(
    `SELECT 1 FROM sessions INDEXED BY ${byName} WHERE tenant = ? AND name = ? AND used_ms > ? LIMIT 1`,
  )
  return (tenant, { limit, after }) => {
    const names = new Set<string>()
    const { usedMs = Number.MAX_SAFE_INTEGER, session = '' } = after ?? {}
    for (const row of walk.iterate(tenant, usedMs, session)) {
      const name = String(row['name'])
      const isOfPageBefore = after !== undefined && isNewer.get(tenant, name, Number(row['used_ms'])) !== undefined
      if (!isOfPageBefore) names.add(name)
      if (names.size === limit) break
    }
    return [...names]
  }
}
