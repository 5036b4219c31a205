import type { PostgresTable, PostgresWriter, PruneStep } from '../../kernel/table.ts'
import type { Retention } from '../../kernel/retention.ts'
import { postgresReceiptReads } from './postgres-receipt-reads.ts'
import type { ReceiptTypes } from './receipt.ts'

export const postgresReceipts: PostgresTable<ReceiptTypes> = {
  migrations: [
    `
    CREATE TABLE receipts (
      sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant text COLLATE "C" NOT NULL,
      session_id bigint NOT NULL,
      created_ms double precision NOT NULL,
      request_id text COLLATE "C" NOT NULL,
      pack_id text COLLATE "C" NOT NULL,
      head text NOT NULL,
      model text COLLATE "C",
      policy text COLLATE "C",
      manifest text NOT NULL,
      input text,
      request text
    );
    CREATE UNIQUE INDEX receipts_by_request ON receipts (tenant, request_id);
    CREATE INDEX receipts_by_pack ON receipts (tenant, pack_id);
    CREATE INDEX receipts_by_session ON receipts (session_id, sequence);
    CREATE INDEX receipts_listed ON receipts (tenant, sequence);

    CREATE TABLE policies (key text COLLATE "C" PRIMARY KEY, policy text NOT NULL);

    CREATE TABLE results (sequence bigint PRIMARY KEY, result text NOT NULL, failed boolean NOT NULL);
    CREATE INDEX results_failed ON results (sequence) WHERE failed;
    `,
  ],
  // Numbers are given out before a commit is seen: without the lock, a reader that follows the newest receipt could pass one by.
  locks: (_row, { scope }) => [`receipts ${scope.tenant}`],
  apply(on, row, { scope: { tenant }, nowMs, sessionId }) {
    const [key, json] = row.slice(receiptColumns)
    if (typeof key === 'string' && typeof json === 'string')
      on.send('INSERT INTO policies (key, policy) VALUES ($1, $2) ON CONFLICT DO NOTHING', key, json)
    on.send(
      `INSERT INTO receipts (tenant, session_id, created_ms, request_id, pack_id, head, model, policy, manifest, input, request)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      tenant,
      sessionId,
      nowMs,
      ...Array.from({ length: receiptColumns }, (_, at) => row[at]),
    )
  },
  reads: postgresReceiptReads,
  async dropSessions(on, ids) {
    const ofThese = 'session_id = ANY($1::bigint[])'
    await on.run(`DELETE FROM results WHERE sequence IN (SELECT sequence FROM receipts WHERE ${ofThese})`, ids)
    return on.run(`DELETE FROM receipts WHERE ${ofThese}`, ids)
  },
  prune: pruneReceipts,
}

/** Cells of a row that are columns; the policy's key and JSON stand behind them. */
const receiptColumns = 8
/** Rows removed in one transaction, so that requests get their turn in between. */
const receiptsAtOnce = 500

async function pruneReceipts(on: PostgresWriter, nowMs: number, retention: Retention): Promise<PruneStep> {
  const { receiptAgeMs, maxReceipts, tenants = {} } = retention
  // The oldest have the lowest numbers: a look at the first ones tells without an index on age.
  let old = await on.run(
    'DELETE FROM receipts WHERE created_ms < $1 AND sequence IN (SELECT sequence FROM receipts ORDER BY sequence LIMIT $2)',
    nowMs - receiptAgeMs,
    receiptsAtOnce,
  )
  for (const [tenant, kept] of Object.entries(tenants))
    if (old < receiptsAtOnce)
      old += await on.run(
        `DELETE FROM receipts WHERE sequence IN
           (SELECT sequence FROM receipts WHERE tenant = $1 AND created_ms < $2 ORDER BY sequence LIMIT $3)`,
        tenant,
        nowMs - kept.receiptAgeMs,
        receiptsAtOnce - old,
      )
  const over = await on.run(
    `DELETE FROM receipts WHERE sequence IN
       (SELECT oldest.sequence FROM
          (SELECT tenant, count(*) - $2::float8 AS surplus FROM receipts GROUP BY tenant HAVING count(*) > $2::float8) AS crowded,
          LATERAL (SELECT sequence FROM receipts WHERE receipts.tenant = crowded.tenant
            ORDER BY sequence LIMIT least($1::float8, crowded.surplus)::bigint) AS oldest
        LIMIT $1::float8::bigint)`,
    receiptsAtOnce,
    maxReceipts,
  )
  if (old + over > 0)
    await on.run(
      `DELETE FROM results WHERE sequence IN (SELECT sequence FROM results ORDER BY sequence LIMIT $1)
       AND NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.sequence = results.sequence)`,
      2 * receiptsAtOnce,
    )
  return { rows: old + over, more: Math.max(old, over) === receiptsAtOnce }
}
