import type { Dialect } from './relation-sql.ts'
import { tableOf } from './relation-sql.ts'
import type { TableSet } from './table-set.ts'

/** A table of an extension that is not open, and its columns. */
export interface ClosedTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** Of the tables of a database, those of extensions that are not open. */
export function closedTables(there: readonly ClosedTable[], { relations }: TableSet, dialect: Dialect) {
  const open = new Set(relations.map((relation) => tableOf(relation, dialect)))
  return there.filter(({ name }) => name.includes('__') && !open.has(name))
}

/**
 * What removes the rows of a tenant from a table whose extension is not open, by the columns that say whose a row is: `?` stands for the
 * tenant. Rows of sessions and receipts go when those have gone.
 */
export function dropClosed({ name, columns }: ClosedTable): readonly string[] {
  return [
    ...(columns.includes('tenant') ? [`DELETE FROM ${name} WHERE tenant = ?`] : []),
    ...(columns.includes('session_id')
      ? [`DELETE FROM ${name} WHERE session_id NOT IN (SELECT id FROM sessions) AND ? <> ''`]
      : []),
    ...(columns.includes('sequence')
      ? [`DELETE FROM ${name} WHERE sequence NOT IN (SELECT sequence FROM receipts) AND ? <> ''`]
      : []),
  ]
}
