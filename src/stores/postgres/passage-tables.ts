import type { Statements } from './connection.ts'
import type { Connections } from './connections.ts'
import { isDenied } from './postgres-errors.ts'

/** How the vectors of a schema are kept: as values of pgvector, with the schema that its extension is in, or as bytes. */
export type KeptVectors = { readonly kind: 'pgvector'; readonly extensionSchema: string } | { readonly kind: 'bytea' }

const version = 1

/**
 * Makes the tables where they are missing. What vectors are kept as is decided then, so that all processes agree: `vector` where the server
 * has pgvector and this role may create or use it, `bytea` elsewhere.
 */
export async function openPassageTables({ transaction }: Connections, schema: string): Promise<KeptVectors> {
  const known = await transaction('BEGIN READ ONLY', (on) => keptVectors(on, schema))
  if (known) return known
  await transaction('BEGIN', async (on) => {
    await lockMigrations(on, schema)
    const { rows } = await on.ask('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
    if (rows.length === 0) await on.ask(`CREATE SCHEMA "${schema}"`)
  })
  await createExtension({ transaction }, schema)
  return transaction('BEGIN', async (on) => {
    await lockMigrations(on, schema)
    // Another process may have been first.
    const made = await keptVectors(on, schema)
    if (made) return made
    const extensionSchema = await usableExtension(on)
    const type = extensionSchema === undefined ? 'bytea' : `"${extensionSchema}".vector`
    for (const statement of tablesWith(type)) await on.ask(statement)
    await on.ask('INSERT INTO table_versions (name, version) VALUES ($1, $2)', ['passages', version])
    return extensionSchema === undefined ? { kind: 'bytea' } : { kind: 'pgvector', extensionSchema }
  })
}

/** Undefined where there are no tables yet. Throws where a newer version has made them. */
export async function keptVectors(on: Statements, schema: string): Promise<KeptVectors | undefined> {
  const { rows } = await on.ask(
    `SELECT udt_schema, udt_name FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = 'passages__texts' AND column_name = 'vector'`,
    [schema],
  )
  const [column] = rows
  if (column === undefined) return undefined
  const found = await on.ask(`SELECT version FROM "${schema}".table_versions WHERE name = 'passages'`)
  const there = Number(found.rows[0]?.['version'])
  if (there > version) throw new Error(`its passages have schema ${there}, this version knows ${version}`)
  if (column['udt_name'] !== 'vector') return { kind: 'bytea' }
  return { kind: 'pgvector', extensionSchema: String(column['udt_schema']) }
}

/** Whether the server has pgvector, whatever this role may do. */
export async function hasPgvector({ ask }: Statements): Promise<boolean> {
  return (await ask(`SELECT 1 FROM pg_available_extensions WHERE name = 'vector'`)).rows.length > 0
}

/** A role that may not create it goes without. */
async function createExtension({ transaction }: Pick<Connections, 'transaction'>, schema: string): Promise<void> {
  try {
    await transaction('BEGIN', async (on) => {
      if (!(await hasPgvector(on))) return
      await lockMigrations(on, schema)
      await on.ask(`CREATE EXTENSION IF NOT EXISTS vector SCHEMA "${schema}"`)
    })
  } catch (error) {
    if (!isDenied(error)) throw error
  }
}

/** The schema of the extension, where this role may use it. */
async function usableExtension({ ask }: Statements): Promise<string | undefined> {
  const { rows } = await ask(
    `SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
     WHERE extname = 'vector' AND has_schema_privilege(extnamespace, 'USAGE')`,
  )
  return rows[0] && String(rows[0]['nspname'])
}

async function lockMigrations({ ask }: Statements, schema: string): Promise<void> {
  await ask(`SELECT pg_advisory_xact_lock(hashtextextended($1::text || ' migrations', 0))`, [schema])
}

/** Named as tables of an extension are, so that a store in the same schema deletes a tenant's rows with the others. */
function tablesWith(vectorType: string): readonly string[] {
  return [
    'CREATE TABLE IF NOT EXISTS table_versions (name text PRIMARY KEY, version integer NOT NULL)',
    `CREATE TABLE passages__collections (
       tenant text COLLATE "C" NOT NULL,
       collection text COLLATE "C" NOT NULL,
       stamp text NOT NULL,
       PRIMARY KEY (tenant, collection)
     )`,
    `CREATE TABLE passages__documents (
       tenant text COLLATE "C" NOT NULL,
       collection text COLLATE "C" NOT NULL,
       document text COLLATE "C" NOT NULL,
       stamp text NOT NULL,
       PRIMARY KEY (tenant, collection, document)
     )`,
    `CREATE TABLE passages__texts (
       tenant text COLLATE "C" NOT NULL,
       collection text COLLATE "C" NOT NULL,
       document text COLLATE "C" NOT NULL,
       id text COLLATE "C" NOT NULL,
       text text NOT NULL,
       vector ${vectorType},
       PRIMARY KEY (tenant, collection, document, id)
     )`,
  ]
}
