import type { DatabaseSync } from 'node:sqlite'
import type { FragmentRows, SqliteTable, TextRows, TextSearch } from './table.ts'

/** What the SQLite engine offers its tables. */
export interface SqliteKernel {
  readonly db: DatabaseSync
  readonly texts: TextRows
  readonly fragments: FragmentRows
  readonly search: TextSearch
  /** What another table is in this database. */
  opened<Opened extends object>(table: { readonly sqlite: SqliteTable<Opened> }): Opened
}
