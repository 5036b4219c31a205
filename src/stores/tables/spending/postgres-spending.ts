import type { PostgresTable } from '../../kernel/table.ts'
import { idsKeptMs, oldestDay } from './spending.ts'
import type { SpendingTypes } from './spending.ts'
import { spendingIn, sumIn } from './spending-rows.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

/** One statement, so that the sums change where the id does and nowhere else. */
const count = `
  WITH before AS (SELECT spent FROM spending WHERE tenant = $1 AND id = $2 AND lapsed = 1),
    put AS (
      INSERT INTO spending (tenant, id, at_ms, lapsed, spent) VALUES ($1, $2, $3, $4, $5::text)
      ON CONFLICT (tenant, id) DO UPDATE SET spent = excluded.spent, lapsed = 0, at_ms = excluded.at_ms
        WHERE spending.lapsed = 1 AND excluded.lapsed = 0
      RETURNING 1),
    changes AS (
      SELECT 1 AS sign, one FROM put, json_array_elements($5::text::json) AS one
      UNION ALL SELECT -1, one FROM put, before, json_array_elements(before.spent::json) AS one)
  INSERT INTO spending_sums (tenant, scope, day, unit, amount)
    SELECT $1, one ->> 'scope', one ->> 'day', one ->> 'unit', sum(sign * (one ->> 'amount')::bigint)::bigint
    FROM changes GROUP BY 2, 3, 4
  ON CONFLICT (tenant, scope, day, unit) DO UPDATE SET amount = spending_sums.amount + excluded.amount`

/** One statement sees one moment. */
const standing = `
  SELECT scope, day, unit, amount, NULL AS id, NULL AS spent, 0 AS lapsed FROM spending_sums WHERE tenant = $1 AND day >= $2
  UNION ALL SELECT NULL, NULL, NULL, 0, id, spent, lapsed FROM spending WHERE tenant = $1 AND id = ANY($3::text[])`

export const postgresSpending: PostgresTable<SpendingTypes> = {
  migrations: [
    `CREATE TABLE spending (tenant text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, at_ms double precision NOT NULL,
      lapsed integer NOT NULL, spent text NOT NULL, PRIMARY KEY (tenant, id));
     CREATE INDEX spending_by_age ON spending (at_ms);
     CREATE TABLE spending_sums (tenant text COLLATE "C" NOT NULL, scope text COLLATE "C" NOT NULL, day text COLLATE "C" NOT NULL,
      unit text COLLATE "C" NOT NULL, amount bigint NOT NULL, PRIMARY KEY (tenant, scope, day, unit));
     CREATE INDEX spending_sums_by_day ON spending_sums (day)`,
  ],
  // Transactions that add to the same sums in another order would wait for each other.
  locks: (_row, { scope: { tenant } }) => [`spending ${tenant}`],
  apply: (on, [id, lapsed, spent], { scope: { tenant }, nowMs }) =>
    on.send(count, tenant, id, nowMs, lapsed === 1 ? 1 : 0, spent),
  reads: (on) => ({
    async standing(tenant, { since, ids }) {
      const rows = await on.all(standing, tenant, since, ids)
      return {
        sums: rows.filter(({ id }) => id === null).map(sumIn),
        recorded: rows.filter(({ id }) => id !== null).map(spendingIn),
      }
    },
  }),
  async prune(on, nowMs) {
    const drop = (table: string, key: string, old: string): string =>
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${old} LIMIT $2)`
    let rows = await on.run(drop('spending', 'tenant, id', 'at_ms < $1'), nowMs - idsKeptMs, rowsAtOnce)
    const sums = drop('spending_sums', 'tenant, scope, day, unit', 'day < $1')
    if (rows < rowsAtOnce) rows += await on.run(sums, oldestDay(nowMs), rowsAtOnce - rows)
    return { rows, more: rows === rowsAtOnce }
  },
}
