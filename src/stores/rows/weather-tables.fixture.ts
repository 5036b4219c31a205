import type { SqliteKernel } from '../kernel/sqlite-kernel.ts'
import type { MemoryTable, PostgresTable, PruneStep, SqliteRows, Table } from '../kernel/table.ts'
import { extensionTable } from './extension-tables.ts'

/** How many degrees it had on some day. */
export interface DayWrite {
  readonly day: number
  readonly degrees: number
}

export interface DayReads {
  /** The days of a tenant, in order. */
  warmer(tenant: string, than: number): readonly DayWrite[]
}

export interface DayTypes {
  readonly write: DayWrite
  readonly reads: DayReads
}

/** A table that needs more than values by keys, in all engines. */
export const days: Table<string, DayTypes> = {
  name: 'weather.days',
  changesSession: false,
  reads: { warmer: () => undefined },
  encode: ({ day, degrees }) => [day, degrees],
  memory: memoryDays,
  sqlite: {
    migrations: [
      'CREATE TABLE weather__days (tenant TEXT NOT NULL, day INTEGER NOT NULL, degrees REAL NOT NULL, PRIMARY KEY (tenant, day)) WITHOUT ROWID',
      'ALTER TABLE weather__days ADD COLUMN written_ms INTEGER NOT NULL DEFAULT 0',
    ],
    open: sqliteDays,
  },
  postgres: postgresDays(),
  relations: [
    {
      name: 'weather__days',
      columns: ['tenant', 'day', 'degrees', 'written_ms'],
      key: ['tenant', 'day'],
      of: 'tenant',
    },
  ],
}

export const notes = extensionTable<{ readonly text: string }>('weather', 'notes')

export const weather = { name: 'weather', tables: [notes, days] }

function memoryDays(): MemoryTable<DayTypes> {
  type Day = DayWrite & { readonly tenant: string; readonly writtenMs: number }
  let all: readonly Day[] = []
  const keep = (isKept: (day: Day) => boolean): number => {
    const before = all.length
    all = all.filter(isKept)
    return before - all.length
  }
  const put = (one: Day): void => {
    keep(({ tenant, day }) => tenant !== one.tenant || day !== one.day)
    all = [...all, one].toSorted((a, b) => a.day - b.day)
  }
  return {
    apply: (write, { scope: { tenant }, nowMs }) =>
      put({ day: write.day, degrees: write.degrees, tenant, writtenMs: nowMs }),
    reads: {
      warmer: (tenant, than) =>
        all.filter((one) => one.tenant === tenant && one.degrees > than).map(({ day, degrees }) => ({ day, degrees })),
    },
    prune: ({ nowMs, retention }) => keep(({ writtenMs }) => writtenMs >= nowMs - retention.sessionIdleMs),
    portable: {
      rows: ({ tenant: asked }) =>
        all
          .filter(({ tenant }) => asked === undefined || tenant === asked)
          .map(({ tenant, day, degrees, writtenMs }) => ({
            relation: 'weather__days',
            cells: [tenant, day, degrees, writtenMs],
          })),
      put: ({ cells: [tenant, day, degrees, writtenMs] }) =>
        put({ tenant: String(tenant), day: Number(day), degrees: Number(degrees), writtenMs: Number(writtenMs) }),
      drop: (tenant) => keep((one) => one.tenant !== tenant),
    },
  }
}

function sqliteDays(kernel: object): SqliteRows<DayTypes> {
  const { db } = kernel as SqliteKernel
  const put = db.prepare('INSERT OR REPLACE INTO weather__days (tenant, day, degrees, written_ms) VALUES (?, ?, ?, ?)')
  const select = db.prepare('SELECT day, degrees FROM weather__days WHERE tenant = ? AND degrees > ? ORDER BY day')
  const drop = db.prepare('DELETE FROM weather__days WHERE written_ms < ?')
  return {
    apply: ([day, degrees], { scope: { tenant }, nowMs }) => void put.run(tenant, Number(day), Number(degrees), nowMs),
    reads: {
      warmer: (tenant, than) =>
        select.all(tenant, than).map((row) => ({ day: Number(row['day']), degrees: Number(row['degrees']) })),
    },
    prune: (nowMs, { sessionIdleMs }): PruneStep => ({
      rows: Number(drop.run(nowMs - sessionIdleMs).changes),
      more: false,
    }),
  }
}

function postgresDays(): PostgresTable<DayTypes> {
  return {
    migrations: [
      'CREATE TABLE weather__days (tenant text COLLATE "C" NOT NULL, day integer NOT NULL, degrees double precision NOT NULL, PRIMARY KEY (tenant, day))',
      'ALTER TABLE weather__days ADD COLUMN written_ms double precision NOT NULL DEFAULT 0',
    ],
    apply: (on, [day, degrees], { scope: { tenant }, nowMs }) =>
      on.send(
        `INSERT INTO weather__days (tenant, day, degrees, written_ms) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant, day) DO UPDATE SET degrees = excluded.degrees, written_ms = excluded.written_ms`,
        tenant,
        day,
        degrees,
        nowMs,
      ),
    reads: (on) => ({
      async warmer(tenant, than) {
        const sql = 'SELECT day, degrees FROM weather__days WHERE tenant = $1 AND degrees > $2 ORDER BY day'
        const rows = await on.all(sql, tenant, than)
        return rows.map((row) => ({ day: Number(row['day']), degrees: Number(row['degrees']) }))
      },
    }),
    prune: async (on, nowMs, { sessionIdleMs }) => ({
      rows: await on.run('DELETE FROM weather__days WHERE written_ms < $1', nowMs - sessionIdleMs),
      more: false,
    }),
  }
}
