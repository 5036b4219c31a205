import { invalidInput } from '../../core/index.ts'
import { extensionTables, tableView } from '../../stores/index.ts'
import type { Store, Table, TableTypes, TableView } from '../../stores/index.ts'
import { named } from './read-extension.ts'
import type { ConfiguredExtension } from './read-extension.ts'

/** The tables of extensions, to open a store with. */
export function tablesOf(given: readonly ConfiguredExtension[]): readonly Table[] {
  return given.flatMap(({ extension }) => extensionTables(extension))
}

/** Throws `invalid-input` where a store was opened without a table of an extension. */
export function requireTables({ extension }: ConfiguredExtension, store: Store): void {
  for (const [index, { name }] of extensionTables(extension).entries())
    if (tableView(store, name) === undefined)
      throw invalidInput(
        `${named(extension.name)}.tables[${index}]`,
        `the store was opened without ${name}`,
        'Open the store with `tables` (`modules` of `threadedSqliteStore`), and the gateway again.',
      )
}

/** Gives an extension its own tables in a store. */
export function tableOpener(
  { extension }: ConfiguredExtension,
  { store, clock }: { readonly store: Store; readonly clock: () => number },
) {
  return <Types extends TableTypes>(table: Table<string, Types>): TableView<Types> => {
    const view = extension.tables?.some((own) => own === (table as Table))
      ? tableView<Types>(store, table.name, clock)
      : undefined
    if (view !== undefined) return view
    const remedy = 'Give one of the tables that the extension lists in `tables`.'
    throw invalidInput(named(extension.name), `has no table ${table.name}`, remedy)
  }
}
