import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { PortableCell, PortableRow, PortableStore, PortableTaker, Relation } from '../kernel/portable.ts'
import type { Table } from '../kernel/table.ts'
import { hostModule } from '../kernel/host-module.ts'
import { textsRelation } from '../rows/kernel-relations.ts'
import { ownerValue, requireAbsent, selectOf, shifted, tableOf, tenantsSql } from '../rows/relation-sql.ts'
import { requireAllOpen, tableSet } from '../rows/table-set.ts'
import type { TableSet } from '../rows/table-set.ts'
import { storeFailed } from '../rows/store-client.ts'
import { openDatabase } from './open-database.ts'
import { requireKnown } from './schema.ts'
import { escaped, restored } from './texts.ts'

/** A store in a file as rows, with the tables of extensions that are given. Reading changes nothing and holds nobody up; who writes waits for others at first, and then they wait. */
export function sqlitePortable(path: string, added: readonly Table[] = []): PortableStore {
  const tables = tableSet(added)
  const file: File = { path, tables }
  return {
    relations: tables.relations,
    read: (tenant, taker) => readAll(file, tenant, taker).catch((error: unknown) => storeFailed('be read', error)),
    write: (tenants, rows) => writeAll(file, tenants, rows).catch((error: unknown) => storeFailed('be written', error)),
  }
}

interface File {
  readonly path: string
  readonly tables: TableSet
}

async function readAll({ path, tables }: File, tenant: string | undefined, taker: PortableTaker): Promise<void> {
  // Brings the schema up to date.
  openDatabase({ path }, tables).db.close()
  const db = new (hostModule('node:sqlite').DatabaseSync)(path, { readOnly: true })
  try {
    db.exec('BEGIN')
    requireKnown(db, tables)
    requireAllOpen(tableNames(db), tables)
    const tenants = tenantsIn(db, tables)
    await taker.tenants(tenant === undefined ? tenants : tenants.filter((name) => name === tenant))
    for (const relation of tables.relations) {
      const rows = relation === textsRelation ? textsIn(db, tenant) : rowsOf(db, relation, tenant)
      for (const cells of rows) {
        const taken = taker.row({ relation: relation.name, cells })
        if (taken) await taken
      }
    }
  } finally {
    db.close()
  }
}

function tenantsIn(db: DatabaseSync, { relations }: TableSet): readonly string[] {
  return db
    .prepare(tenantsSql('sqlite', relations))
    .all()
    .map((row) => String(row['tenant']))
}

function tableNames(db: DatabaseSync): readonly string[] {
  return db
    .prepare('SELECT name FROM table_versions')
    .all()
    .map((row) => String(row['name']))
}

function* rowsOf(db: DatabaseSync, relation: Relation, tenant: string | undefined): Iterable<readonly PortableCell[]> {
  const value = tenant === undefined ? undefined : ownerValue(relation, tenant)
  const select = db.prepare(selectOf(relation, 'sqlite', value === undefined ? undefined : '?'))
  for (const row of select.iterate(...(value === undefined ? [] : [value])))
    yield relation.columns.map((name) => row[name] as PortableCell)
}

/** Those that an engine has to write otherwise come last. */
function* textsIn(db: DatabaseSync, tenant: string | undefined): Iterable<readonly PortableCell[]> {
  const used =
    tenant === undefined
      ? 'EXISTS (SELECT 1 FROM session_texts WHERE text_id = texts.id)'
      : 'id IN (SELECT text_id FROM session_texts JOIN sessions ON sessions.id = session_id WHERE tenant = ?)'
  const special = `(hash LIKE 'json:%' OR instr(text, char(1)) > 0)`
  for (const which of [`NOT ${special}`, special]) {
    const select = db.prepare(`SELECT hash, text FROM texts WHERE ${used} AND ${which} ORDER BY hash`)
    for (const row of select.iterate(...(tenant === undefined ? [] : [tenant])))
      yield [String(row['hash']), restored(row)]
  }
}

async function writeAll(
  { path, tables }: File,
  tenants: readonly string[],
  rows: AsyncIterable<PortableRow>,
): Promise<void> {
  const { db } = openDatabase({ path }, tables)
  try {
    db.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE')
    const there = tenantsIn(db, tables)
    requireAbsent(tenants, there)
    // A store that nobody has used takes the secrets and settings of the file; another one keeps its own.
    if (there.length === 0) db.exec(`DELETE FROM settings WHERE name NOT LIKE 'policy/%'`)
    const put = rowWriter(db, tables)
    for await (const row of rows) put(row)
    db.exec('DELETE FROM texts WHERE NOT EXISTS (SELECT 1 FROM session_texts WHERE text_id = id)')
    db.exec('COMMIT')
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  } finally {
    db.close()
  }
}

function rowWriter(db: DatabaseSync, { relations }: TableSet): (row: PortableRow) => void {
  const by = { lanes: highest(db, 'sessions', 'id'), receipts: highest(db, 'receipts', 'sequence') }
  const puts = new Map(relations.map((relation) => [relation.name, relationWriter(db, relation)]))
  return ({ relation: name, cells }) => {
    const put = puts.get(name)
    if (!put) throw new Error(`a row is of a table ${name}, which this version does not know`)
    put(cells, by)
  }
}

type PutCells = (cells: readonly PortableCell[], by: Parameters<typeof shifted>[2]) => void

function relationWriter(db: DatabaseSync, relation: Relation): PutCells {
  if (relation === textsRelation) {
    const put = db.prepare('INSERT INTO texts (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING')
    return ([hash, text]) => void put.run(String(hash), escaped(String(text)))
  }
  const put = db.prepare(relation.sqlite?.put ?? insertOf(relation))
  const use = db.prepare(
    'INSERT OR IGNORE INTO session_texts (session_id, text_id) SELECT ?, id FROM texts WHERE hash = ?',
  )
  return (given, by) => {
    const cells = shifted(relation, given, by)
    put.run(...((relation.stored?.(cells) ?? cells) as SQLInputValue[]))
    for (const hash of relation.textsOf?.(cells) ?? []) use.run(Number(cells[0]), hash)
  }
}

function insertOf(relation: Relation): string {
  const { columns, ifAbsent } = relation
  const places = columns.map(() => '?').join(', ')
  const otherwise = ifAbsent ? ' ON CONFLICT DO NOTHING' : ''
  return `INSERT INTO ${tableOf(relation, 'sqlite')} (${columns.join(', ')}) VALUES (${places})${otherwise}`
}

function highest(db: DatabaseSync, table: string, column: string): number {
  return Number(db.prepare(`SELECT ifnull(max(${column}), 0) AS highest FROM ${table}`).get()?.['highest'])
}
