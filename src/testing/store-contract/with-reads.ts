import type { AsyncReads, Store, Tables } from '../../stores/index.ts'

/** Reads by the name of their table. */
export type SomeReads = { readonly [Name in keyof Tables]?: Partial<AsyncReads<Tables[Name]['reads']>> }

/**
 * The same store, some of whose reads are others: for tests of what happens when a store cannot be read.
 *
 * ```ts
 * const down = async (): Promise<never> => {
 *   throw new Error('down')
 * }
 * const broken = withReads(memoryStore(), { sessions: { get: down } })
 * ```
 */
export function withReads(store: Store, reads: SomeReads): Store {
  return { ...store, read: (table) => ({ ...store.read(table), ...reads[table] }) }
}
