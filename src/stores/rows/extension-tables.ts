import { invalidInput, objectLike, shape, callable } from '../../core/index.ts'
import type { Table } from '../kernel/table.ts'
import { rowsName } from '../kernel/rows-name.ts'
import { keyedTable } from '../tables/keyed-table.ts'
import type { KeyedTypes, KeyedOptions } from '../tables/keyed-table.ts'

/** What of an extension brings tables. */
export interface TableBringer {
  readonly name: string
  readonly tables?: readonly Table[] | undefined
}

const tableShape = shape.object<Table>({
  name: shape.name,
  changesSession: shape.flag,
  reads: objectLike('an object that says for each read what it waits for'),
  encode: callable(),
  memory: callable(),
  sqlite: objectLike('an object with `open`'),
  postgres: objectLike('an object with `reads`'),
  relations: shape.list(objectLike('a relation')),
})

/**
 * The tables of an extension. Throws `invalid-input` that names the first one that is none, or whose name, or the names of whose relations,
 * do not begin with that of the extension: `EXTENSION.TABLE`, and `EXTENSION__TABLE` in SQL.
 */
export function extensionTables({ name, tables = [] }: TableBringer): readonly Table[] {
  const at = `extension ${name}.tables`
  shape.check(shape.list(tableShape), tables, at)
  for (const [index, table] of tables.entries()) {
    const field = `${at}[${index}]`
    requirePrefix(`${field}.name`, { given: table.name, prefix: `${name}.`, form: /^[a-z][a-z0-9-]{0,39}$/ })
    const prefix = `${rowsName(name)}__`
    for (const [place, relation] of table.relations.entries()) {
      const names = [relation.name, relation.sqlite?.table, relation.postgres?.table]
      for (const given of names)
        if (given !== undefined)
          requirePrefix(`${field}.relations[${place}].name`, { given, prefix, form: /^[a-z][a-z0-9_]{0,60}$/ })
      if (relation.of === 'policy')
        throw invalidInput(`${field}.relations[${place}].of`, 'is "policy"', 'Use tenant, session, receipt or owner.')
    }
  }
  return tables
}

interface Prefixed {
  readonly given: string
  readonly prefix: string
  /** Of what follows the prefix. */
  readonly form: RegExp
}

function requirePrefix(field: string, { given, prefix, form }: Prefixed): void {
  if (given.startsWith(prefix) && form.test(given.slice(prefix.length))) return
  throw invalidInput(field, `is ${JSON.stringify(given)}`, `Begin it with ${prefix}, and go on in lower-case letters.`)
}

/** Imports modules of extensions, and gives the tables that these bring. Rejects with what an import throws, and as `extensionTables`. */
export async function tablesOfModules(modules: readonly string[]): Promise<readonly Table[]> {
  const tables: Table[] = []
  for (const module of modules) {
    const { default: extension } = (await import(module)) as { readonly default?: TableBringer }
    if (extension?.tables !== undefined) tables.push(...extensionTables(extension))
  }
  return tables
}

/**
 * A table of an extension with JSON values by tenant and key, which outlive their session. A value goes when it was not written for as long
 * as an idle session is kept. Extensions that need more give a `Table` of their own.
 */
export function extensionTable<Value>(
  extension: string,
  name: string,
  { stands = 'newest' }: Partial<Pick<KeyedOptions<string>, 'stands'>> = {},
): Table<string, KeyedTypes<Value>> {
  return keyedTable<Value>()({ name: `${extension}.${name}`, stands })
}
