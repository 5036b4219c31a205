import { callable, objectLike, shape } from '../../core/index.ts'
import type { Table } from '../kernel/table.ts'

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** A file. It and its folder are made when missing, for this user alone. */
  readonly path: string
  /**
   * What an acknowledged commit survives: the death of the process (`process`, the default) or also of the machine
   * (`power`, which waits for the disk at every commit). Neither can leave a commit half-written.
   */
  readonly durability?: 'process' | 'power'
  /**
   * How much each client may remember of the sessions that it wrote last, about: what is remembered is not written again.
   * 16 MiB by default.
   */
  readonly rememberedBytes?: number
  /** Told of files and folders that others could read: they are closed to them when the store is opened. */
  readonly onTightened?: (paths: readonly string[]) => void
  /** Those of extensions, beside the built-in ones. */
  readonly tables?: readonly Table[]
}

/** Options of `threadedSqliteStore`. */
export interface ThreadedSqliteOptions extends Omit<SqliteStoreOptions, 'tables'> {
  /** Modules of extensions whose tables it is to have, as addresses (`file:`) or packages: this thread and that of the store import them. */
  readonly modules?: readonly string[]
}

/** What opening needs to be told, and may cross to another thread. */
export type OpenOptions = Pick<SqliteStoreOptions, 'path' | 'durability'>

/** What the thread of a store is started with. */
export type StoreThreadStart = OpenOptions & Pick<ThreadedSqliteOptions, 'modules'>

const shared = {
  path: shape.name,
  durability: shape.optional(shape.oneOf(['process', 'power'])),
  rememberedBytes: shape.optional(shape.amount),
  onTightened: shape.optional(callable<(paths: readonly string[]) => void>()),
} as const

export const sqliteOptionsShape = shape.object<SqliteStoreOptions>({
  ...shared,
  tables: shape.optional(shape.list(objectLike('a table'))),
})

export const threadedOptionsShape = shape.object<ThreadedSqliteOptions>({
  ...shared,
  modules: shape.optional(shape.list(shape.name)),
})
