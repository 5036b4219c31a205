import { sha256 } from '../../host/index.ts'
import type { PortableCell, PortableRow, PortableStore, PortableTaker, Relation } from '../kernel/portable.ts'
import type { PostgresValue, Table } from '../kernel/table.ts'
import { textsRelation } from '../rows/kernel-relations.ts'
import { ownerValue, requireAbsent, selectOf, shifted, tableOf, tenantsSql } from '../rows/relation-sql.ts'
import { requireAllOpen, tableSet } from '../rows/table-set.ts'
import type { TableSet } from '../rows/table-set.ts'
import { storeFailed } from '../rows/store-client.ts'
import { textHash } from '../rows/text-hash.ts'
import type { Statements } from './connection.ts'
import { connections } from './connections.ts'
import type { Connections } from './connections.ts'
import { escaped } from '../kernel/escape.ts'
import { migrate } from './migrate.ts'
import { remedyAt, requirePostgresUrl } from './postgres-address.ts'
import { postgresPackage } from './postgres-package.ts'

export interface PostgresPortable extends PortableStore {
  close(): Promise<void>
}

const timeoutMs = 60_000

/** Rows read with one question, and rows written without waiting for an answer. */
const rowsAtOnce = 64

/** A store in PostgreSQL as rows, read and written in one transaction each. */
export async function postgresPortable(
  url: string,
  schema = 'prehend',
  added: readonly Table[] = [],
): Promise<PostgresPortable> {
  const tables = tableSet(added)
  requirePostgresUrl(url)
  const opened = connections(await postgresPackage(), 1, { url, schema, timeoutMs })
  const remedy = remedyAt(url)
  try {
    await migrate(opened, { schema, tables })
  } catch (error) {
    await opened.close()
    return storeFailed('open', error, remedy)
  }
  const kept: Kept = { ...opened, tables }
  return {
    relations: tables.relations,
    read: (tenant, taker) =>
      readAll(kept, tenant, taker).catch((error: unknown) => storeFailed('be read', error, remedy)),
    write: (tenants, rows) =>
      writeAll(kept, tenants, rows).catch((error: unknown) => storeFailed('be written', error, remedy)),
    close: () => opened.close(),
  }
}

interface Kept extends Connections {
  readonly tables: TableSet
}

function readAll({ transaction, tables }: Kept, tenant: string | undefined, taker: PortableTaker): Promise<void> {
  return transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (on) => {
    requireAllOpen(await tableNames(on), tables)
    const tenants = await tenantsIn(on, tables)
    await taker.tenants(tenant === undefined ? tenants : tenants.filter((name) => name === tenant))
    const hashes = await specialTexts(on, tenant)
    const give = (relation: Relation, cells: readonly PortableCell[]): void | Promise<void> =>
      taker.row({ relation: relation.name, cells: withHashes(relation, cells, hashes) })
    for (const relation of tables.relations) {
      if (relation === textsRelation) {
        for await (const cells of plainTexts(on, tenant)) await give(relation, cells)
        for (const hash of [...hashes].toSorted(([, a], [, b]) => (a < b ? -1 : 1)).map(([own]) => own))
          for await (const cells of fetched(on, relation.columns, 'SELECT hash, text FROM texts WHERE hash = $1', [
            hash,
          ]))
            await give(relation, cells)
        continue
      }
      const value = tenant === undefined ? undefined : ownerValue(relation, tenant)
      const sql = selectOf(relation, 'postgres', value === undefined ? undefined : '$1')
      for await (const cells of fetched(on, relation.columns, sql, value === undefined ? [] : [value]))
        await give(relation, cells)
    }
  })
}

async function tableNames({ ask }: Statements): Promise<readonly string[]> {
  return (await ask('SELECT name FROM table_versions')).rows.map((row) => String(row['name']))
}

async function tenantsIn({ ask }: Statements, { relations }: TableSet): Promise<readonly string[]> {
  return (await ask(tenantsSql('postgres', relations))).rows.map((row) => String(row['tenant']))
}

/** Rows a few at a time, whatever there are. */
async function* fetched(
  { ask }: Statements,
  columns: readonly string[],
  sql: string,
  values: readonly PostgresValue[],
): AsyncIterable<readonly PortableCell[]> {
  await ask(`DECLARE portable NO SCROLL CURSOR FOR ${sql}`, values)
  for (;;) {
    const { rows } = await ask(`FETCH ${rowsAtOnce} FROM portable`)
    for (const row of rows) yield columns.map((name) => row[name] as PortableCell)
    if (rows.length < rowsAtOnce) break
  }
  await ask('CLOSE portable')
}

const isSpecial = 'position(chr(1) in text) > 0'

function usedBy(tenant: string | undefined): string {
  if (tenant === undefined) return 'EXISTS (SELECT 1 FROM session_texts WHERE session_texts.hash = texts.hash)'
  return 'hash IN (SELECT hash FROM session_texts JOIN sessions ON sessions.id = session_id WHERE tenant = $1)'
}

function plainTexts(on: Statements, tenant: string | undefined): AsyncIterable<readonly PortableCell[]> {
  const sql = `SELECT hash, text FROM texts WHERE ${usedBy(tenant)} AND NOT ${isSpecial} ORDER BY hash`
  return fetched(on, textsRelation.columns, sql, tenant === undefined ? [] : [tenant])
}

/** Texts that PostgreSQL holds otherwise than they are have another hash there: that of a file, by that in the table. */
async function specialTexts(on: Statements, tenant: string | undefined): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>()
  const sql = `SELECT hash, text FROM texts WHERE ${usedBy(tenant)} AND ${isSpecial}`
  for await (const [hash, text] of fetched(on, textsRelation.columns, sql, tenant === undefined ? [] : [tenant]))
    hashes.set(String(hash), textHash(String(text)))
  return hashes
}

function withHashes(
  { columns, textsOf }: Relation,
  cells: readonly PortableCell[],
  hashes: ReadonlyMap<string, string>,
): readonly PortableCell[] {
  if (hashes.size === 0) return cells
  return cells.map((cell, at) => {
    if (typeof cell !== 'string') return cell
    if (columns[at] === 'hash' || columns[at] === 'text_hash') return hashes.get(cell) ?? cell
    if (columns[at] !== 'elements') return cell
    const found = new Set(textsOf?.(cells).filter((hash) => hashes.has(hash)))
    return [...found].reduce(
      (elements, hash) => elements.replaceAll(`"textHash":"${hash}"`, `"textHash":"${hashes.get(hash)}"`),
      cell,
    )
  })
}

function writeAll({ transaction, tables }: Kept, tenants: readonly string[], rows: AsyncIterable<PortableRow>) {
  return transaction('BEGIN', async (on) => {
    await on.ask('LOCK TABLE sessions IN EXCLUSIVE MODE')
    const there = await tenantsIn(on, tables)
    requireAbsent(tenants, there)
    // A store that nobody has used takes the secrets and settings of the file; another one keeps its own.
    if (there.length === 0) await on.ask('DELETE FROM settings')
    const put = await rowWriter(on, tables)
    for await (const row of rows) {
      const written = put(row)
      if (written) await written
    }
    await on.ask(
      'DELETE FROM texts WHERE NOT EXISTS (SELECT 1 FROM session_texts WHERE session_texts.hash = texts.hash)',
    )
    for (const [table, column] of [
      ['sessions', 'id'],
      ['receipts', 'sequence'],
    ])
      await on.ask(
        `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), (SELECT max(${column}) FROM ${table}))
         FROM ${table} LIMIT 1`,
      )
  })
}

async function rowWriter(
  on: Statements,
  { relations }: TableSet,
): Promise<(row: PortableRow) => void | Promise<unknown>> {
  const by = { lanes: await highest(on, 'sessions', 'id'), receipts: await highest(on, 'receipts', 'sequence') }
  const byName = new Map(relations.map((relation) => [relation.name, relation]))
  const hashes = new Map<string, string>()
  let unanswered = 0
  const send = (sql: string, values: readonly PostgresValue[]): Promise<unknown> => on.ask(sql, values)
  return ({ relation: name, cells: given }) => {
    const relation = byName.get(name)
    if (!relation) throw new Error(`a row is of a table ${name}, which this version does not know`)
    if (relation === textsRelation) noteSpecial(hashes, given)
    const cells = withHashes(relation, shifted(relation, given, by), hashes)
    let last = send(relation.postgres?.put ?? insertOf(relation), relation.stored?.(cells) ?? cells)
    const texts = relation.textsOf?.(cells) ?? []
    if (texts.length > 0) last = send(useTexts, [cells[0], [...new Set(texts)]])
    unanswered += 1
    return unanswered % rowsAtOnce === 0 ? last : undefined
  }
}

const useTexts = `INSERT INTO session_texts (session_id, hash)
  SELECT $1::bigint, hash FROM unnest($2::text[]) AS hash ON CONFLICT DO NOTHING`

function noteSpecial(hashes: Map<string, string>, [hash, text]: readonly PortableCell[]): void {
  const written = escaped(String(text))
  if (written !== text) hashes.set(String(hash), sha256(written, 'base64url'))
}

function insertOf(relation: Relation): string {
  const { columns, ifAbsent } = relation
  const places = columns.map((_, at) => `$${at + 1}`).join(', ')
  const otherwise = ifAbsent || relation === textsRelation ? ' ON CONFLICT DO NOTHING' : ''
  return `INSERT INTO ${tableOf(relation, 'postgres')} (${columns.join(', ')}) VALUES (${places})${otherwise}`
}

async function highest({ ask }: Statements, table: string, column: string): Promise<number> {
  const { rows } = await ask(`SELECT coalesce(max(${column}), 0) AS highest FROM ${table}`)
  return Number(rows[0]?.['highest'])
}
