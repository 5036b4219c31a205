import { builtInTables } from '../rows/table-set.ts'
import type { TableSet } from '../rows/table-set.ts'
import type { Statements } from './connection.ts'
import type { Connections } from './connections.ts'
import { kernelMigrations } from './kernel-schema.ts'
import type { SchemaState } from './schema-state.ts'

export interface MigratedSchema {
  readonly schema: string
  /** The built-in ones by default. */
  readonly tables?: TableSet
}

interface Migrated {
  readonly name: string
  readonly migrations: readonly string[]
}

/** The engine and its tables, in the order in which their schemas are brought up to date. */
function partsOf({ all }: TableSet): readonly Migrated[] {
  const ofTables = all.map(({ name, postgres: { migrations = [] } }) => ({ name, migrations }))
  return [{ name: 'kernel', migrations: kernelMigrations }, ...ofTables]
}

/**
 * Brings a schema to the newest version, all of it in one transaction. Of processes that open it at once, one does so and the others wait. Refuses a
 * schema that a newer version wrote.
 */
export async function migrate(
  { transaction }: Connections,
  { schema, tables = builtInTables }: MigratedSchema,
): Promise<void> {
  const parts = partsOf(tables)
  // A schema that is up to date may belong to a server that is read only.
  if ((await transaction('BEGIN READ ONLY', (on) => schemaState(on, { schema, tables }))) === 'current') return
  await transaction('BEGIN', async (on) => {
    await on.ask(`SELECT pg_advisory_xact_lock(hashtextextended($1::text || ' migrations', 0))`, [schema])
    if (!(await hasSchema(on, schema))) await on.ask(`CREATE SCHEMA "${schema}"`)
    await on.ask('CREATE TABLE IF NOT EXISTS table_versions (name text PRIMARY KEY, version integer NOT NULL)')
    const versions = await versionsIn(on, parts)
    for (const part of parts) await migratePart(on, part, versions.get(part.name) ?? 0)
  })
}

async function migratePart({ ask }: Statements, { name, migrations }: Migrated, found: number): Promise<void> {
  if (found >= migrations.length) return
  for (const statements of migrations.slice(found)) await ask(statements)
  await ask(
    `INSERT INTO table_versions (name, version) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = excluded.version`,
    [name, migrations.length],
  )
}

/** Rejects where a newer version has written the schema. */
export async function schemaState(
  on: Statements,
  { schema, tables = builtInTables }: MigratedSchema,
): Promise<SchemaState> {
  const parts = partsOf(tables)
  const { rows } = await on.ask(`SELECT to_regclass($1 || '.table_versions') IS NOT NULL AS is_there`, [`"${schema}"`])
  if (rows[0]?.['is_there'] !== true) return 'missing'
  const versions = await versionsIn(on, parts)
  // Others may have tables in the schema before a store does.
  if (!versions.has('kernel')) return 'missing'
  const isCurrent = parts.every(({ name, migrations }) => (versions.get(name) ?? 0) === migrations.length)
  return isCurrent ? 'current' : 'older'
}

async function hasSchema({ ask }: Statements, schema: string): Promise<boolean> {
  return (await ask('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).rows.length > 0
}

/** Throws where a newer version has written one of them. */
async function versionsIn({ ask }: Statements, parts: readonly Migrated[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await ask('SELECT name, version FROM table_versions')
  const versions = new Map(rows.map((row) => [String(row['name']), Number(row['version'])]))
  for (const { name, migrations } of parts) {
    const version = versions.get(name) ?? 0
    if (version > migrations.length)
      throw new Error(`its table ${name} has schema ${version}, this version knows ${migrations.length}`)
  }
  return versions
}
