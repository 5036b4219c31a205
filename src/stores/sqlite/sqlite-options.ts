import { callable, shape } from '../../core/index.ts'

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
}

/** What opening needs to be told, and may cross to another thread. */
export type OpenOptions = Omit<SqliteStoreOptions, 'onTightened' | 'rememberedBytes'>

export const sqliteOptionsShape = shape.object<SqliteStoreOptions>({
  path: shape.name,
  durability: shape.optional(shape.oneOf(['process', 'power'])),
  rememberedBytes: shape.optional(shape.amount),
  onTightened: shape.optional(callable()),
})
