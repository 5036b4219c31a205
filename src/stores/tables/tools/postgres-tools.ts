import type { PostgresTable } from '../../kernel/table.ts'
import type { ToolTypes } from './tool-record.ts'
import { callColumns, callIn, isFailure, offeredIn, recordIn, usageIn } from './tool-rows.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

const columns = callColumns.join(', ')

const added = `ON CONFLICT (tenant, tool) DO UPDATE SET offered = tool_sums.offered + excluded.offered,
  called = tool_sums.called + excluded.called, failed = tool_sums.failed + excluded.failed, tokens = tool_sums.tokens + excluded.tokens`

/** One statement, so that the sums change where the call is new and nowhere else. */
const note = `
  WITH noted AS (
    INSERT INTO tool_calls (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (tenant, id) DO NOTHING RETURNING tokens)
  INSERT INTO tool_sums (tenant, tool, offered, called, failed, tokens) SELECT $1, $3, 0, 1, $10, tokens FROM noted ${added}`

export const postgresTools: PostgresTable<ToolTypes> = {
  migrations: [
    `CREATE TABLE tools (tenant text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, kind text NOT NULL, value text NOT NULL,
      written_ms double precision NOT NULL, PRIMARY KEY (tenant, id));
     CREATE TABLE tool_calls (tenant text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, tool text COLLATE "C" NOT NULL,
      outcome text NOT NULL, took_ms double precision NOT NULL, tokens bigint NOT NULL, at_ms double precision NOT NULL, session text,
      request_id text, PRIMARY KEY (tenant, id));
     CREATE INDEX tool_calls_by_age ON tool_calls (at_ms);
     CREATE INDEX tool_calls_of_tenant ON tool_calls (tenant, at_ms);
     CREATE TABLE tool_sums (tenant text COLLATE "C" NOT NULL, tool text COLLATE "C" NOT NULL, offered bigint NOT NULL,
      called bigint NOT NULL, failed bigint NOT NULL, tokens bigint NOT NULL, PRIMARY KEY (tenant, tool));`,
  ],
  // Transactions that add to the same sums in another order would wait for each other.
  locks: ([kind], { scope: { tenant } }) => (kind === 'call' || kind === 'offered' ? [`tools ${tenant}`] : []),
  apply(on, [kind, first, ...rest], { scope: { tenant }, nowMs }) {
    if (kind === 'put') {
      const changed = 'kind = excluded.kind, value = excluded.value, written_ms = excluded.written_ms'
      const put = 'INSERT INTO tools (tenant, id, kind, value, written_ms) VALUES ($1, $2, $3, $4, $5)'
      on.send(`${put} ON CONFLICT (tenant, id) DO UPDATE SET ${changed}`, tenant, first, rest[0], rest[1], nowMs)
    } else if (kind === 'drop') on.send('DELETE FROM tools WHERE tenant = $1 AND id = $2', tenant, first)
    else if (kind === 'offered') {
      const offer = 'SELECT $1, tool, 1, 0, 0, 0 FROM unnest($2::text[]) AS tool'
      const sums = 'INSERT INTO tool_sums (tenant, tool, offered, called, failed, tokens)'
      on.send(`${sums} ${offer} ${added}`, tenant, offeredIn(first))
    } else {
      const [tool, outcome, tookMs, tokens, session = null, requestId = null] = rest
      const said = [tenant, first, tool, outcome, tookMs, tokens, nowMs, session, requestId]
      on.send(note, ...said, isFailure(outcome) ? 1 : 0)
    }
  },
  reads: (on) => ({
    async get(tenant, id) {
      const [row] = await on.all(
        'SELECT id, kind, value, written_ms FROM tools WHERE tenant = $1 AND id = $2',
        tenant,
        id,
      )
      return row && recordIn(row)
    },
    async list(tenant, kind) {
      const sql = 'SELECT id, kind, value, written_ms FROM tools WHERE tenant = $1 AND kind = $2 ORDER BY id'
      return (await on.all(sql, tenant, kind)).map(recordIn)
    },
    async usage(tenant) {
      const sql = 'SELECT tool, offered, called, failed, tokens FROM tool_sums WHERE tenant = $1'
      return usageIn(await on.all(sql, tenant))
    },
    async calls({ tenant, tool, limit }) {
      const sql = `SELECT ${columns} FROM tool_calls WHERE tenant = $1 AND ($2::text IS NULL OR tool = $2)
        ORDER BY at_ms DESC, id COLLATE "C" DESC LIMIT $3`
      return (await on.all(sql, tenant, tool ?? null, limit)).map(callIn)
    },
  }),
  async prune(on, nowMs, { receiptAgeMs, tenants = {} }) {
    const old = 'SELECT tenant, id FROM tool_calls WHERE at_ms < $1'
    const drop = (which: string): string => `DELETE FROM tool_calls WHERE (tenant, id) IN (${which})`
    let rows = await on.run(drop(`${old} LIMIT $2`), nowMs - receiptAgeMs, rowsAtOnce)
    for (const [tenant, own] of Object.entries(tenants))
      if (rows < rowsAtOnce)
        rows += await on.run(
          drop(`${old} AND tenant = $3 LIMIT $2`),
          nowMs - own.receiptAgeMs,
          rowsAtOnce - rows,
          tenant,
        )
    return { rows, more: rows === rowsAtOnce }
  },
}
