import type { DatabaseSync } from 'node:sqlite'
import type { SqliteKernel } from '../kernel/sqlite-kernel.ts'
import type { SqliteRows, SqliteTable } from '../kernel/table.ts'
import type { TableSet } from '../rows/table-set.ts'
import { fragmentTable } from './fragments.ts'
import type { FragmentTable } from './fragments.ts'
import { textSearch } from './text-search.ts'
import type { SessionTextSearch } from './text-search.ts'
import { textTable } from './texts.ts'
import type { TextTable } from './texts.ts'

/** The tables of a database, and what they share. */
export interface OpenTables {
  readonly set: TableSet
  readonly texts: TextTable
  readonly fragments: FragmentTable
  readonly search: SessionTextSearch
  readonly byName: ReadonlyMap<string, SqliteRows>
  /** A step of the work that a read needs done first, for the caller's transaction; it gives whether there is more. Undefined where a read needs none. */
  stepBefore(table: string, name: string): ((...given: readonly unknown[]) => boolean) | undefined
  /** Runs one of the reads of a table. */
  read(table: string, name: string, given: readonly unknown[]): unknown
}

export function openTables(db: DatabaseSync, set: TableSet): OpenTables {
  const texts = textTable(db)
  const fragments = fragmentTable(db, texts)
  const search = textSearch(db)
  const made = new Map<unknown, object>()
  const kernel: SqliteKernel = {
    db,
    texts,
    fragments,
    search,
    opened: <Opened extends object>(table: { readonly sqlite: SqliteTable<Opened> }): Opened => {
      const known = made.get(table) ?? table.sqlite.open(kernel)
      made.set(table, known)
      return known as Opened
    },
  }
  const byName = new Map<string, SqliteRows>(set.all.map((table) => [table.name, kernel.opened(table)]))
  return {
    set,
    texts,
    fragments,
    search,
    byName,
    stepBefore(table, name) {
      const steps = byName.get(table)?.prepare as Readonly<Record<string, () => boolean>> | undefined
      return steps?.[name]
    },
    read(table, name, given) {
      const reads = byName.get(table)?.reads as Readonly<Record<string, () => unknown>> | undefined
      const read = reads?.[name]
      if (!read) throw new Error(`there is no read ${name} of a table ${table}`)
      return Reflect.apply(read, reads, given)
    },
  }
}
