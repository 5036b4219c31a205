import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { SqliteRows } from '../../kernel/table.ts'
import { idsKeptMs, oldestDay } from './spending.ts'
import type { SpendingSum, SpendingTypes } from './spending.ts'
import { spendingIn, sumIn } from './spending-rows.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

export function sqliteSpending({ db }: SqliteKernel): SqliteRows<SpendingTypes> {
  const known = db.prepare('SELECT id, spent, lapsed FROM spending WHERE tenant = ? AND id = ?')
  const put = db.prepare('INSERT OR REPLACE INTO spending (tenant, id, at_ms, lapsed, spent) VALUES (?, ?, ?, ?, ?)')
  const add = db.prepare(
    `INSERT INTO spending_sums (tenant, scope, day, unit, amount) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`,
  )
  const sums = db.prepare('SELECT scope, day, unit, amount FROM spending_sums WHERE tenant = ? AND day >= ?')
  const dropIds = db.prepare(
    'DELETE FROM spending WHERE (tenant, id) IN (SELECT tenant, id FROM spending WHERE at_ms < ? LIMIT ?)',
  )
  const dropSums = db.prepare(
    `DELETE FROM spending_sums WHERE (tenant, scope, day, unit) IN
       (SELECT tenant, scope, day, unit FROM spending_sums WHERE day < ? LIMIT ?)`,
  )
  const addAll = (tenant: string, all: readonly SpendingSum[], sign: 1 | -1): void => {
    for (const { scope, day, unit, amount } of all) add.run(tenant, scope, day, unit, sign * amount)
  }
  return {
    apply([id, lapsed, spent], { scope: { tenant }, nowMs }) {
      const row = known.get(tenant, String(id))
      const before = row && spendingIn(row)
      if (before && (before.lapsed !== true || lapsed === 1)) return
      if (before) addAll(tenant, before.spent, -1)
      addAll(tenant, JSON.parse(String(spent)) as readonly SpendingSum[], 1)
      put.run(tenant, String(id), nowMs, Number(lapsed), String(spent))
    },
    reads: {
      standing: (tenant, { since, ids }) => ({
        sums: sums.all(tenant, since).map(sumIn),
        recorded: ids.flatMap((id) => known.all(tenant, id).map(spendingIn)),
      }),
    },
    prune(nowMs) {
      let rows = Number(dropIds.run(nowMs - idsKeptMs, rowsAtOnce).changes)
      if (rows < rowsAtOnce) rows += Number(dropSums.run(oldestDay(nowMs), rowsAtOnce - rows).changes)
      return { rows, more: rows === rowsAtOnce }
    },
  }
}
