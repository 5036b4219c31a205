import type { PostgresTable } from '../../kernel/table.ts'
import { usualWeight } from './outcome.ts'
import type { OutcomeTypes } from './outcome.ts'
import { outcomeIn } from './outcome-rows.ts'

export const postgresOutcomes: PostgresTable<OutcomeTypes> = {
  migrations: [
    `CREATE TABLE outcomes (tenant text COLLATE "C" NOT NULL, session text COLLATE "C" NOT NULL, request_id text COLLATE "C" NOT NULL,
      source text COLLATE "C" NOT NULL, quality double precision NOT NULL, weight double precision NOT NULL,
      at_ms double precision NOT NULL, note text, PRIMARY KEY (tenant, session, request_id, source))`,
  ],
  // What stands decides whether another value may be written.
  locks: (_row, { scope: { tenant, session } }) => [`outcomes ${tenant.length} ${tenant} ${session}`],
  async allows(on, [requestId, source, quality, , replaces], { scope: { tenant, session } }) {
    const [row] = await on.all(
      `SELECT (SELECT quality FROM outcomes WHERE tenant = $1 AND session = $2 AND request_id = $3 AND source = $4) AS quality
       FROM sessions WHERE tenant = $1 AND name = $2 LIMIT 1`,
      tenant,
      session,
      requestId,
      source,
    )
    return row !== undefined && (replaces === 1 || row['quality'] === null || row['quality'] === quality)
  },
  apply(on, [requestId, source, quality, note = null, replaces], { scope: { tenant, session }, nowMs }) {
    const otherwise =
      replaces === 1
        ? `UPDATE SET quality = excluded.quality, weight = excluded.weight, at_ms = excluded.at_ms, note = excluded.note`
        : 'NOTHING'
    on.send(
      `INSERT INTO outcomes (tenant, session, request_id, source, quality, weight, at_ms, note)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (tenant, session, request_id, source) DO ${otherwise}`,
      tenant,
      session,
      requestId,
      source,
      quality,
      usualWeight,
      nowMs,
      note,
    )
  },
  reads: (on) => ({
    async list(tenant, session) {
      const rows = await on.all(
        `SELECT request_id, source, quality, weight, at_ms, note FROM outcomes WHERE tenant = $1 AND session = $2
         ORDER BY at_ms, request_id, source`,
        tenant,
        session,
      )
      return rows.map(outcomeIn)
    },
  }),
  // Other lanes of the session may stay.
  dropSessions: (on, ids) =>
    on.run(
      `DELETE FROM outcomes WHERE (tenant, session) IN (SELECT tenant, name FROM sessions AS gone WHERE id = ANY($1::bigint[])
         AND NOT EXISTS (SELECT 1 FROM sessions WHERE tenant = gone.tenant AND name = gone.name AND id <> ALL($1::bigint[])))`,
      ids,
    ),
}
