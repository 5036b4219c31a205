import type { PostgresReader, PostgresWriter } from '../../kernel/table.ts'
import { costColumns, costIn, costMembers, isDollars } from './cost-columns.ts'
import type { SessionCost, SessionQuery, SessionSummary } from './session-cost.ts'

export const costsTable = `
  CREATE TABLE costs (
    session_id bigint PRIMARY KEY,
    requests double precision NOT NULL,
    priced double precision NOT NULL,
    input_tokens double precision NOT NULL,
    pass_through_tokens double precision NOT NULL,
    usd double precision NOT NULL,
    pass_through_usd double precision NOT NULL,
    client_usd double precision NOT NULL,
    observed_usd double precision NOT NULL,
    if_on_usd double precision NOT NULL,
    if_on_pass_through_usd double precision NOT NULL
  );
`

const addSql = `INSERT INTO costs AS old (session_id, ${costColumns.join(', ')})
  VALUES ($1, ${costColumns.map((_, at) => `$${at + 2}`).join(', ')})
  ON CONFLICT (session_id) DO UPDATE SET ${costColumns.map(addedTo).join(', ')}`

function addedTo(column: string): string {
  const sum = `old.${column} + excluded.${column}`
  return `${column} = ${isDollars(column) ? `round((${sum})::numeric, 12)::double precision` : sum}`
}

/** Adds to what a session has cost. */
export function addCost(on: PostgresWriter, sessionId: number, cost: SessionCost): void {
  on.send(addSql, sessionId, ...costMembers.map((name) => cost[name]))
}

const sums = costColumns.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ')

const sessionsSql = `
  WITH named AS (
    SELECT name, max(used_ms) AS used_ms FROM sessions
    WHERE tenant = $1 AND ($2::text IS NULL OR name = $2)
    GROUP BY name HAVING $3::float8 IS NULL OR (max(used_ms), name) < ($3::float8, $4::text COLLATE "C")
    ORDER BY 2 DESC, 1 DESC LIMIT $5
  )
  SELECT named.name, named.used_ms, ${sums} FROM named JOIN sessions ON sessions.tenant = $1 AND sessions.name = named.name
  LEFT JOIN costs ON session_id = id GROUP BY 1, 2 ORDER BY 2 DESC, 1 DESC`

export async function sessionsWithCosts(
  on: PostgresReader,
  tenant: string,
  { session, limit, after }: SessionQuery,
): Promise<readonly SessionSummary[]> {
  const rows = await on.all(sessionsSql, tenant, session, after?.usedMs, after?.session, limit)
  return rows.map((row) => ({
    session: String(row['name']),
    usedMs: Number(row['used_ms']),
    cost: costIn(row),
  }))
}
