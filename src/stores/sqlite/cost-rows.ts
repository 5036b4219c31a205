import type { DatabaseSync } from 'node:sqlite'
import { wholeUsd } from '../session-cost.ts'
import type { SessionCost, SessionQuery, SessionSummary } from '../store.ts'

export interface CostTable {
  /** Adds to what the session of a request has cost. */
  add(tenant: string, requestId: string, cost: SessionCost): void
  sessions(tenant: string, query: SessionQuery): readonly SessionSummary[]
}

export function costTable(db: DatabaseSync): CostTable {
  const add = db.prepare(
    `INSERT INTO costs (session_id, requests, priced, input_tokens, pass_through_tokens, usd, pass_through_usd)
     SELECT session_id, ?, ?, ?, ?, ?, ? FROM receipts WHERE tenant = ? AND request_id = ?
     ON CONFLICT (session_id) DO UPDATE SET
       requests = requests + excluded.requests,
       priced = priced + excluded.priced,
       input_tokens = input_tokens + excluded.input_tokens,
       pass_through_tokens = pass_through_tokens + excluded.pass_through_tokens,
       usd = round(usd + excluded.usd, 12),
       pass_through_usd = round(pass_through_usd + excluded.pass_through_usd, 12)`,
  )
  const newest = db.prepare(summaries(''))
  const named = db.prepare(summaries('AND name = ?3'))
  return {
    add(tenant, requestId, { requests, priced, inputTokens, passThroughTokens, usd, passThroughUsd }) {
      add.run(requests, priced, inputTokens, passThroughTokens, usd, passThroughUsd, tenant, requestId)
    },
    sessions: (tenant, { limit, session }) =>
      (session === undefined ? newest.all(tenant, limit) : named.all(tenant, limit, session)).map((row) => ({
        session: String(row['name']),
        usedMs: Number(row['used_ms']),
        cost: {
          requests: Number(row['requests']),
          priced: Number(row['priced']),
          inputTokens: Number(row['input_tokens']),
          passThroughTokens: Number(row['pass_through_tokens']),
          usd: wholeUsd(Number(row['usd'])),
          passThroughUsd: wholeUsd(Number(row['pass_through_usd'])),
        },
      })),
  }
}

/** A statement of its own for one name: a condition that may be empty would have every session of the tenant looked at. */
function summaries(condition: string): string {
  return `SELECT name, max(used_ms) AS used_ms, total(requests) AS requests, total(priced) AS priced,
       total(input_tokens) AS input_tokens, total(pass_through_tokens) AS pass_through_tokens,
       total(usd) AS usd, total(pass_through_usd) AS pass_through_usd
     FROM sessions LEFT JOIN costs ON session_id = id
     WHERE tenant = ?1 ${condition} GROUP BY name ORDER BY max(used_ms) DESC LIMIT ?2`
}
