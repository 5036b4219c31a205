import type { StoreOf } from '../../kernel/store.ts'
import { installation } from '../../kernel/scope.ts'
import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { MemoryTable, PostgresTable, Row, SqliteRows, Table } from '../../kernel/table.ts'

/** Sets a small value of the installation itself, such as a secret or a calibration. */
export interface ValueWrite {
  readonly key: string
  readonly value: string
  /** Only where there is none. */
  readonly ifAbsent?: boolean
}

export interface ValueReads {
  get(key: string): string | undefined
}

export interface ValueTypes {
  readonly write: ValueWrite
  readonly reads: ValueReads
}

/** Small values of the installation itself. */
export const valuesTable: Table<'values', ValueTypes> = {
  name: 'values',
  changesSession: false,
  reads: { get: () => installation },
  encode: ({ key, value, ifAbsent }: ValueWrite): Row => [key, value, ifAbsent ? 1 : 0],
  memory: memoryValues,
  sqlite: { open: sqliteValues },
  postgres: postgresValues(),
  relations: [
    {
      name: 'settings',
      columns: ['name', 'value'],
      key: ['name'],
      of: 'installation',
      ifAbsent: true,
      // Policies of receipts, and what is written to see whether anything can be, stand among them.
      sqlite: { from: `(SELECT name, value FROM settings WHERE name NOT LIKE 'policy/%' AND name <> 'trial')` },
    },
  ],
}

function memoryValues(): MemoryTable<ValueTypes> {
  const values = new Map<string, string>()
  return {
    apply({ key, value, ifAbsent }) {
      if (!ifAbsent || !values.has(key)) values.set(key, value)
    },
    reads: { get: (key) => values.get(key) },
    portable: {
      rows: () => [...values].map((cells) => ({ relation: 'settings', cells })),
      put({ cells: [key, value] }) {
        if (!values.has(String(key))) values.set(String(key), String(value))
      },
    },
  }
}

function sqliteValues({ db }: SqliteKernel): SqliteRows<ValueTypes> {
  const select = db.prepare('SELECT value FROM settings WHERE name = ?')
  const put = db.prepare(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const putNew = db.prepare('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
  return {
    apply([key, value, ifAbsent]) {
      const statement = ifAbsent === 1 ? putNew : put
      statement.run(String(key), String(value))
    },
    reads: {
      get(key) {
        const found = select.get(key)?.['value']
        return typeof found === 'string' ? found : undefined
      },
    },
  }
}

function postgresValues(): PostgresTable<ValueTypes> {
  return {
    migrations: ['CREATE TABLE settings (name text COLLATE "C" PRIMARY KEY, value text NOT NULL)'],
    apply(on, [key, value, ifAbsent]) {
      const otherwise = ifAbsent === 1 ? 'NOTHING' : 'UPDATE SET value = excluded.value'
      on.send(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO ${otherwise}`, key, value)
    },
    reads: (on) => ({
      async get(key) {
        const [row] = await on.all('SELECT value FROM settings WHERE name = $1', key)
        return row && String(row['value'])
      },
    }),
  }
}

type ValueStore = Pick<StoreOf<{ readonly values: ValueTypes }>, 'commit' | 'read'>

/** Sets a value of the installation. Rejects with `store-failed`. */
export async function setValue(store: ValueStore, key: string, value: string): Promise<void> {
  await store.commit({ scope: installation, nowMs: 0, writes: [{ table: 'values', key, value }] })
}

/** Sets a value of the installation where there is none, and gives the one that stands. Rejects with `store-failed`. */
export async function claimValue(store: ValueStore, key: string, value: string): Promise<string> {
  const standing = await store.read('values').get(key)
  if (standing !== undefined) return standing
  await store.commit({ scope: installation, nowMs: 0, writes: [{ table: 'values', key, value, ifAbsent: true }] })
  return (await store.read('values').get(key)) ?? value
}
