import { retentionOf } from '../../kernel/retention.ts'
import type { PostgresTable } from '../../kernel/table.ts'
import { halvedAt, mostRead, toolUseIn } from './tool-uses.ts'
import type { ToolUsesTypes } from './tool-uses.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

const isHalved = `excluded.sessions > 0 AND tool_uses.sessions >= ${halvedAt}`
const halved = (column: string): string =>
  `CASE WHEN ${isHalved} THEN tool_uses.${column} / 2 ELSE tool_uses.${column} END + excluded.${column}`

/** Counts are added where they stand, so that two processes lose none. */
const add = `
  INSERT INTO tool_uses (tenant, name, offered, called, failed, sessions, called_in, queries, written_ms)
    SELECT $1, one ->> 0, (one ->> 1)::integer, (one ->> 2)::integer, (one ->> 3)::integer, (one ->> 4)::integer, (one ->> 5)::integer,
      one ->> 6, $3
    FROM json_array_elements($2::text::json) AS one
  ON CONFLICT (tenant, name) DO UPDATE SET offered = tool_uses.offered + excluded.offered, called = tool_uses.called + excluded.called,
    failed = tool_uses.failed + excluded.failed, sessions = ${halved('sessions')}, called_in = ${halved('called_in')},
    queries = coalesce(excluded.queries, tool_uses.queries), written_ms = excluded.written_ms`

export const postgresToolUses: PostgresTable<ToolUsesTypes> = {
  migrations: [
    `CREATE TABLE tool_uses (tenant text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, offered integer NOT NULL,
      called integer NOT NULL, failed integer NOT NULL, sessions integer NOT NULL, called_in integer NOT NULL, queries text,
      written_ms double precision NOT NULL, PRIMARY KEY (tenant, name));
     CREATE INDEX tool_uses_by_age ON tool_uses (written_ms)`,
  ],
  // Transactions that add to the same rows in another order would wait for each other.
  locks: (_row, { scope: { tenant } }) => [`tool-uses ${tenant}`],
  apply: (on, [uses], { scope: { tenant }, nowMs }) => on.send(add, tenant, uses, nowMs),
  reads: (on) => ({
    async all(tenant) {
      const newest = `SELECT * FROM tool_uses WHERE tenant = $1 ORDER BY written_ms DESC LIMIT ${mostRead}`
      return (await on.all(`SELECT * FROM (${newest}) AS newest ORDER BY name`, tenant)).map(toolUseIn)
    },
  }),
  async prune(on, nowMs, retention) {
    const own = Object.keys(retention.tenants ?? {})
    const old = 'SELECT tenant, name FROM tool_uses WHERE written_ms < $1'
    const drop = (which: string): string => `DELETE FROM tool_uses WHERE (tenant, name) IN (${which} LIMIT $2)`
    const others = `${old} AND tenant <> ALL($3::text[])`
    let rows = await on.run(drop(others), nowMs - retention.sessionIdleMs, rowsAtOnce, own)
    for (const tenant of own) {
      if (rows >= rowsAtOnce) break
      const sinceMs = nowMs - retentionOf(retention, tenant).sessionIdleMs
      rows += await on.run(drop(`${old} AND tenant = $3`), sinceMs, rowsAtOnce - rows, tenant)
    }
    return { rows, more: rows >= rowsAtOnce }
  },
}
