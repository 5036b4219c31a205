import type { Row, Table } from '../../kernel/table.ts'
import { memorySpending } from './memory-spending.ts'
import { postgresSpending } from './postgres-spending.ts'
import type { SpendingTypes, SpendingWrite } from './spending.ts'
import { sqliteSpending } from './sqlite-spending.ts'

/** What was spent of budgets, by whose they are and by day, and the reservations that the sums hold. It outlives sessions and receipts. */
export const spendingTable: Table<'spending', SpendingTypes> = {
  name: 'spending',
  changesSession: false,
  reads: { standing: () => undefined },
  encode: ({ id, spent, lapsed }: SpendingWrite): Row => [id, lapsed === true ? 1 : 0, JSON.stringify(spent)],
  memory: memorySpending,
  sqlite: {
    migrations: [
      `CREATE TABLE spending (tenant TEXT NOT NULL, id TEXT NOT NULL, at_ms INTEGER NOT NULL, lapsed INTEGER NOT NULL, spent TEXT NOT NULL,
        PRIMARY KEY (tenant, id)) WITHOUT ROWID;
       CREATE INDEX spending_by_age ON spending (at_ms);
       CREATE TABLE spending_sums (tenant TEXT NOT NULL, scope TEXT NOT NULL, day TEXT NOT NULL, unit TEXT NOT NULL,
        amount INTEGER NOT NULL, PRIMARY KEY (tenant, scope, day, unit)) WITHOUT ROWID;
       CREATE INDEX spending_sums_by_day ON spending_sums (day)`,
    ],
    open: sqliteSpending,
  },
  postgres: postgresSpending,
  relations: [
    { name: 'spending', columns: ['tenant', 'id', 'at_ms', 'lapsed', 'spent'], key: ['tenant', 'id'], of: 'tenant' },
    {
      name: 'spending_sums',
      columns: ['tenant', 'scope', 'day', 'unit', 'amount'],
      key: ['tenant', 'scope', 'day', 'unit'],
      of: 'tenant',
    },
  ],
}
