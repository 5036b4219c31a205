import type { SqliteKernel } from '../kernel/sqlite-kernel.ts'
import type { Relation } from '../kernel/portable.ts'
import type {
  MemoryTable,
  PostgresTable,
  PruneStep,
  Row,
  SettledBy,
  SqliteRows,
  SqliteTable,
  Table,
} from '../kernel/table.ts'
import { rowsName } from '../kernel/rows-name.ts'
import { retentionOf } from '../kernel/retention.ts'
import type { Retention } from '../kernel/retention.ts'

/** One value of a tenant, under a key. */
export interface KeyedWrite<Value> {
  readonly key: string
  readonly value: Value
}

/** A value, and when it was last written, in milliseconds since the epoch. */
export interface KeyedValue<Value> {
  readonly value: Value
  readonly writtenMs: number
}

export interface KeyedReads<Value> {
  get(tenant: string, key: string): KeyedValue<Value> | undefined
}

export interface KeyedTypes<Value> {
  readonly write: KeyedWrite<Value>
  readonly reads: KeyedReads<Value>
}

export interface KeyedOptions<Name extends string> {
  readonly name: Name
  /** Which value stands where a key is written again: the first one, which is then as fresh as the last write, or the newest. */
  readonly stands: 'first' | 'newest'
  /** Statements that run once the table is made, on databases that hold such values elsewhere. */
  readonly moves?: string
  /** Whose a value is: the tenant of its row, or the one that the value names. */
  readonly of?: 'tenant' | 'owner'
}

type KeyedTable<Name extends string, Value> = Table<
  Name,
  KeyedTypes<Value>,
  MemoryTable<KeyedTypes<Value>>,
  SqliteRows<KeyedTypes<Value>>
>

/** Rows removed in one transaction. */
const rowsAtOnce = 500

/**
 * A table of values by tenant and key, which outlive their session and go when they were not written for as long as an idle
 * session is kept. `Value` is JSON.
 */
export function keyedTable<Value>() {
  return <Name extends string>({
    name,
    stands,
    moves = '',
    of = 'tenant',
  }: KeyedOptions<Name>): KeyedTable<Name, Value> => ({
    name,
    changesSession: false,
    reads: { get: () => undefined } satisfies SettledBy<KeyedReads<Value>>,
    encode: ({ key, value }): Row => [key, JSON.stringify(value)],
    memory: () => memoryKeyed<Value>(keyedRelation(name, of), stands),
    sqlite: sqliteKeyed<Value>(rowsName(name), { stands, moves }),
    postgres: postgresKeyed<Value>(rowsName(name), stands),
    relations: [keyedRelation(name, of)],
  })
}

function keyedRelation(name: string, of: 'tenant' | 'owner'): Relation {
  return {
    name: rowsName(name),
    columns: ['tenant', 'key', 'value', 'written_ms'],
    key: ['tenant', 'key'],
    of,
    ...(of === 'owner' && { ifAbsent: true }),
  }
}

function memoryKeyed<Value>(
  { name: relation, of }: Relation,
  stands: KeyedOptions<string>['stands'],
): MemoryTable<KeyedTypes<Value>> {
  const tenants = new Map<string, Map<string, KeyedValue<Value>>>()
  return {
    apply({ key, value }, { scope: { tenant }, nowMs: writtenMs }) {
      const values = tenants.get(tenant) ?? new Map<string, KeyedValue<Value>>()
      tenants.set(tenant, values)
      const known = stands === 'first' ? values.get(key) : undefined
      values.set(key, { value: known ? known.value : value, writtenMs })
    },
    reads: { get: (tenant, key) => tenants.get(tenant)?.get(key) },
    prune({ nowMs, retention }) {
      let rows = 0
      for (const [tenant, values] of tenants) {
        const sinceMs = nowMs - retentionOf(retention, tenant).sessionIdleMs
        for (const [key, { writtenMs }] of values) if (writtenMs < sinceMs && values.delete(key)) rows += 1
      }
      return rows
    },
    portable: {
      *rows({ tenant: asked }) {
        for (const [tenant, values] of tenants)
          for (const [key, { value, writtenMs }] of values)
            if (asked === undefined || asked === (of === 'owner' ? value : tenant))
              yield { relation, cells: [tenant, key, JSON.stringify(value), writtenMs] }
      },
      put({ cells: [tenant, key, value, writtenMs] }) {
        const values = tenants.get(String(tenant)) ?? new Map<string, KeyedValue<Value>>()
        tenants.set(String(tenant), values)
        values.set(String(key), { value: JSON.parse(String(value)) as Value, writtenMs: Number(writtenMs) })
      },
      drop(tenant) {
        let rows = of === 'tenant' ? (tenants.get(tenant)?.size ?? 0) : 0
        if (of === 'tenant') tenants.delete(tenant)
        else
          for (const values of tenants.values())
            for (const [key, { value }] of values) if (value === tenant && values.delete(key)) rows += 1
        return rows
      },
    },
  }
}

function sqliteKeyed<Value>(
  table: string,
  { stands, moves }: Required<Pick<KeyedOptions<string>, 'stands' | 'moves'>>,
): SqliteTable<SqliteRows<KeyedTypes<Value>>> {
  const changed =
    stands === 'first' ? 'written_ms = excluded.written_ms' : 'value = excluded.value, written_ms = excluded.written_ms'
  const made = `CREATE TABLE ${table} (tenant TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, written_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant, key)) WITHOUT ROWID; CREATE INDEX ${table}_by_age ON ${table} (written_ms);`
  return {
    migrations: [made + moves],
    open({ db }: SqliteKernel) {
      const put = db.prepare(
        `INSERT INTO ${table} (tenant, key, value, written_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${changed}`,
      )
      const select = db.prepare(`SELECT value, written_ms FROM ${table} WHERE tenant = ? AND key = ?`)
      const drop = db.prepare(
        `DELETE FROM ${table} WHERE (tenant, key) IN (SELECT tenant, key FROM ${table} WHERE written_ms < ? LIMIT ?)`,
      )
      const dropOf = db.prepare(
        `DELETE FROM ${table} WHERE tenant = ? AND key IN (SELECT key FROM ${table} WHERE tenant = ? AND written_ms < ? LIMIT ?)`,
      )
      const prune = (nowMs: number, retention: Retention): PruneStep => {
        let rows = Number(drop.run(nowMs - retention.sessionIdleMs, rowsAtOnce).changes)
        for (const [tenant, { sessionIdleMs }] of Object.entries(retention.tenants ?? {}))
          if (rows < rowsAtOnce)
            rows += Number(dropOf.run(tenant, tenant, nowMs - sessionIdleMs, rowsAtOnce - rows).changes)
        return { rows, more: rows === rowsAtOnce }
      }
      return {
        apply: ([key, value], { scope: { tenant }, nowMs }) => void put.run(tenant, String(key), String(value), nowMs),
        reads: {
          get(tenant, key) {
            const row = select.get(tenant, key)
            if (!row) return undefined
            return { value: JSON.parse(String(row['value'])) as Value, writtenMs: Number(row['written_ms']) }
          },
        },
        prune,
      }
    },
  }
}

function postgresKeyed<Value>(table: string, stands: KeyedOptions<string>['stands']): PostgresTable<KeyedTypes<Value>> {
  const changed =
    stands === 'first' ? 'written_ms = excluded.written_ms' : 'value = excluded.value, written_ms = excluded.written_ms'
  return {
    migrations: [
      `CREATE TABLE ${table} (tenant text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL,
        written_ms double precision NOT NULL, PRIMARY KEY (tenant, key)); CREATE INDEX ${table}_by_age ON ${table} (written_ms);`,
    ],
    apply: (on, [key, value], { scope: { tenant }, nowMs }) =>
      on.send(
        `INSERT INTO ${table} (tenant, key, value, written_ms) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant, key) DO UPDATE SET ${changed}`,
        tenant,
        key,
        value,
        nowMs,
      ),
    reads: (on) => ({
      async get(tenant, key) {
        const sql = `SELECT value, written_ms FROM ${table} WHERE tenant = $1 AND key = $2`
        const [row] = await on.all(sql, tenant, key)
        if (!row) return undefined
        return { value: JSON.parse(String(row['value'])) as Value, writtenMs: Number(row['written_ms']) }
      },
    }),
    async prune(on, nowMs, retention) {
      const old = `SELECT tenant, key FROM ${table} WHERE written_ms < $1`
      const drop = (which: string): string => `DELETE FROM ${table} WHERE (tenant, key) IN (${which})`
      let rows = await on.run(drop(`${old} LIMIT $2`), nowMs - retention.sessionIdleMs, rowsAtOnce)
      for (const [tenant, { sessionIdleMs }] of Object.entries(retention.tenants ?? {}))
        if (rows < rowsAtOnce)
          rows += await on.run(
            drop(`${old} AND tenant = $3 LIMIT $2`),
            nowMs - sessionIdleMs,
            rowsAtOnce - rows,
            tenant,
          )
      return { rows, more: rows === rowsAtOnce }
    },
  }
}
