import { invalidInput } from '../../core/index.ts'
import type { Relation } from '../kernel/portable.ts'
import { storeError } from '../kernel/store.ts'
import type { Table } from '../kernel/table.ts'
import type { Unit } from '../store.ts'
import { allTables } from '../tables/tables.ts'
import { kernelRelations } from './kernel-relations.ts'

/** The tables of a store; made once, when it is opened. */
export interface TableSet {
  /** In the order in which their schemas are brought up to date. */
  readonly all: readonly Table[]
  readonly byName: ReadonlyMap<string, Table>
  /** In the order in which a file carries them: what a row refers to comes before it. */
  readonly relations: readonly Relation[]
}

/** The built-in tables, and those of extensions. Throws `invalid-input` where two have one name, or keep their rows in one place. */
export function tableSet(added: readonly Table[] = []): TableSet {
  const all = [...allTables, ...added]
  const relations = [...kernelRelations, ...all.flatMap((table) => table.relations)]
  requireDistinct(all.map(({ name }) => name))
  requireDistinct(relations.map(({ name }) => name))
  return { all, byName: new Map(all.map((table) => [table.name, table])), relations }
}

/** What a unit fails with that writes to a table which the store does not have. */
export function unknownTable({ writes }: Unit, { byName }: TableSet): Error | undefined {
  const unknown = writes.find(({ table }) => !byName.has(table))
  if (unknown === undefined) return undefined
  return storeError('write', `there is no table ${unknown.table}`, 'Open the store with the extension that brings it.')
}

/** Throws `invalid-input` where a database has a table of an extension that is not open: what it holds would be left out. */
export function requireAllOpen(names: readonly string[], { byName }: TableSet): void {
  const unknown = names.find((name) => name.includes('.') && !byName.has(name))
  if (unknown === undefined) return
  const [extension] = unknown.split('.', 1)
  throw invalidInput(
    'store',
    `has the table ${unknown} of the extension ${extension}, which is not open`,
    `Open it with the extension ${extension}.`,
  )
}

function requireDistinct(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw invalidInput('tables', `have ${JSON.stringify(twice)} twice`, 'Give each a name of its own.')
}

export const builtInTables: TableSet = tableSet()
