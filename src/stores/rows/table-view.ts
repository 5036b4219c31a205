import type { Scope } from '../kernel/scope.ts'
import type { AsyncReads, TableTypes } from '../kernel/table.ts'
import type { Store, Write } from '../store.ts'

/** One table of a store, with its types. */
export interface TableView<Types extends TableTypes> {
  readonly read: AsyncReads<Types['reads']>
  /** All or nothing, in their order. Resolves when they survive the death of the process. */
  write(scope: Scope, ...writes: readonly Types['write'][]): Promise<void>
}

/** The table of that name; undefined where the store does not have it. */
export function tableView<Types extends TableTypes>(
  store: Store,
  name: string,
  clock: () => number = Date.now,
): TableView<Types> | undefined {
  const read = readsOf(store, name)
  if (read === undefined) return undefined
  return {
    read: read as AsyncReads<Types['reads']>,
    write: (scope, ...writes) =>
      store.commit({ scope, nowMs: clock(), writes: writes.map((write) => ({ ...write, table: name }) as Write) }),
  }
}

/** Drivers that others have written may throw for a table that they do not know. */
function readsOf(store: Store, name: string): object | undefined {
  try {
    return store.read(name as never) as object | undefined
  } catch {
    return undefined
  }
}
