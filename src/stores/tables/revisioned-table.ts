import { movedOn } from '../kernel/store.ts'
import type { Relation } from '../kernel/portable.ts'
import type { SqliteKernel } from '../kernel/sqlite-kernel.ts'
import type { MemoryTable, PostgresTable, Row, SettledBy, SqliteRows, SqliteTable, Table } from '../kernel/table.ts'

/**
 * Writes one value of the unit's tenant, or removes it where `value` is absent. A conflict unless the revision follows the stored one; where
 * nothing is stored, that is 1.
 */
export interface RevisionedWrite<Value> {
  readonly key: string
  readonly revision: number
  readonly value?: Value
}

export interface RevisionedValue<Value> {
  readonly tenant: string
  readonly key: string
  /** Counts the writes of the value, from 1. */
  readonly revision: number
  readonly value: Value
  /** Milliseconds since the epoch. */
  readonly writtenMs: number
}

export interface RevisionedReads<Value> {
  get(tenant: string, key: string): RevisionedValue<Value> | undefined
  /** Of all tenants by default, by tenant and key. */
  list(tenant?: string): readonly RevisionedValue<Value>[]
}

export interface RevisionedTypes<Value> {
  readonly write: RevisionedWrite<Value>
  readonly reads: RevisionedReads<Value>
}

type RevisionedTable<Name extends string, Value> = Table<
  Name,
  RevisionedTypes<Value>,
  MemoryTable<RevisionedTypes<Value>>,
  SqliteRows<RevisionedTypes<Value>>
>

/** A table of few values by tenant and key, which stay until they are removed or their tenant goes. `Value` is JSON. */
export function revisionedTable<Value>() {
  return <Name extends string>(name: Name): RevisionedTable<Name, Value> => {
    const table = name.replaceAll('-', '_')
    const columns = ['tenant', 'key', 'revision', 'value', 'written_ms']
    const relation: Relation = { name: table, columns, key: ['tenant', 'key'], of: 'tenant' }
    return {
      name,
      changesSession: false,
      reads: {
        get: (tenant) => ({ tenant, session: '' }),
        list: (tenant) => (tenant === undefined ? undefined : { tenant, session: '' }),
      } satisfies SettledBy<RevisionedReads<Value>>,
      encode: ({ key, revision, value }): Row => [key, revision, value === undefined ? null : JSON.stringify(value)],
      memory: () => memoryRevisioned<Value>(relation),
      sqlite: sqliteRevisioned<Value>(table),
      postgres: postgresRevisioned<Value>(table),
      relations: [relation],
    }
  }
}

function memoryRevisioned<Value>({ name: relation }: Relation): MemoryTable<RevisionedTypes<Value>> {
  type Stored = RevisionedValue<Value>
  const tenants = new Map<string, Map<string, Stored>>()
  const put = (stored: Stored): void => {
    const values = tenants.get(stored.tenant) ?? new Map<string, Stored>()
    tenants.set(stored.tenant, values.set(stored.key, stored))
  }
  const list = (asked?: string): readonly Stored[] =>
    [...tenants]
      .filter(([tenant]) => asked === undefined || asked === tenant)
      .flatMap(([, values]) => [...values.values()])
      .toSorted((one, other) => compared(one.tenant, other.tenant) || compared(one.key, other.key))
  return {
    check({ key, revision }, { scope }) {
      if ((tenants.get(scope.tenant)?.get(key)?.revision ?? 0) !== revision - 1) throw movedOn(scope)
    },
    apply({ key, revision, value }, { scope: { tenant }, nowMs: writtenMs }) {
      if (value === undefined) tenants.get(tenant)?.delete(key)
      else put({ tenant, key, revision, value, writtenMs })
    },
    reads: { get: (tenant, key) => tenants.get(tenant)?.get(key), list },
    portable: {
      *rows({ tenant: asked }) {
        for (const { tenant, key, revision, value, writtenMs } of list(asked))
          yield { relation, cells: [tenant, key, revision, JSON.stringify(value), writtenMs] }
      },
      put: ({ cells: [tenant, key, revision, value, written_ms] }) =>
        put(revisionedValueIn<Value>({ tenant, key, revision, value, written_ms })),
      drop(tenant) {
        const rows = tenants.get(tenant)?.size ?? 0
        tenants.delete(tenant)
        return rows
      },
    },
  }
}

function sqliteRevisioned<Value>(table: string): SqliteTable<SqliteRows<RevisionedTypes<Value>>> {
  return {
    migrations: [
      `CREATE TABLE ${table} (tenant TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, value TEXT NOT NULL,
        written_ms INTEGER NOT NULL, PRIMARY KEY (tenant, key)) WITHOUT ROWID;`,
    ],
    open({ db }: SqliteKernel) {
      const one = db.prepare(`SELECT * FROM ${table} WHERE tenant = ? AND key = ?`)
      const all = db.prepare(`SELECT * FROM ${table} ORDER BY tenant, key`)
      const allOf = db.prepare(`SELECT * FROM ${table} WHERE tenant = ? ORDER BY key`)
      const put = db.prepare(
        `INSERT OR REPLACE INTO ${table} (tenant, key, revision, value, written_ms) VALUES (?, ?, ?, ?, ?)`,
      )
      const drop = db.prepare(`DELETE FROM ${table} WHERE tenant = ? AND key = ?`)
      return {
        allows: ([key, revision], { scope: { tenant } }) =>
          Number(one.get(tenant, String(key))?.['revision'] ?? 0) === Number(revision) - 1,
        apply([key, revision, value], { scope: { tenant }, nowMs }) {
          if (value === null) drop.run(tenant, String(key))
          else put.run(tenant, String(key), Number(revision), String(value), nowMs)
        },
        reads: {
          get(tenant, key) {
            const row = one.get(tenant, key)
            return row && revisionedValueIn<Value>(row)
          },
          list: (tenant) =>
            (tenant === undefined ? all.all() : allOf.all(tenant)).map((row) => revisionedValueIn<Value>(row)),
        },
      }
    },
  }
}

function postgresRevisioned<Value>(table: string): PostgresTable<RevisionedTypes<Value>> {
  const byKey = `SELECT * FROM ${table} WHERE tenant = $1 AND key = $2`
  return {
    migrations: [
      `CREATE TABLE ${table} (tenant text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, revision integer NOT NULL,
        value text NOT NULL, written_ms double precision NOT NULL, PRIMARY KEY (tenant, key));`,
    ],
    locks: ([key], { scope: { tenant } }) => [`${table} ${tenant.length} ${tenant} ${key}`],
    async allows(on, [key, revision], { scope: { tenant } }) {
      const [row] = await on.all(byKey, tenant, key)
      return Number(row?.['revision'] ?? 0) === Number(revision) - 1
    },
    apply(on, [key, revision, value], { scope: { tenant }, nowMs }) {
      if (value === null) return on.send(`DELETE FROM ${table} WHERE tenant = $1 AND key = $2`, tenant, key)
      on.send(
        `INSERT INTO ${table} (tenant, key, revision, value, written_ms) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant, key)
         DO UPDATE SET revision = excluded.revision, value = excluded.value, written_ms = excluded.written_ms`,
        tenant,
        key,
        revision,
        value,
        nowMs,
      )
    },
    reads: (on) => ({
      async get(tenant, key) {
        const [row] = await on.all(byKey, tenant, key)
        return row && revisionedValueIn<Value>(row)
      },
      async list(tenant) {
        const where = 'WHERE $1::text IS NULL OR tenant = $1'
        const rows = await on.all(`SELECT * FROM ${table} ${where} ORDER BY tenant, key`, tenant ?? null)
        return rows.map((row) => revisionedValueIn<Value>(row))
      },
    }),
  }
}

/** A value, by the names of its columns. */
export function revisionedValueIn<Value>(row: Readonly<Record<string, unknown>>): RevisionedValue<Value> {
  return {
    tenant: String(row['tenant']),
    key: String(row['key']),
    revision: Number(row['revision']),
    value: JSON.parse(String(row['value'])) as Value,
    writtenMs: Number(row['written_ms']),
  }
}

function compared(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
