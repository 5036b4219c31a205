import { hostModule } from '../kernel/host-module.ts'
import type { StoreCore } from '../rows/store-core.ts'

/** The file of an open database. */
export interface FileWatch {
  /** Whether another file, or none, lies where the open one was found. */
  isReplaced(): boolean
  /**
   * Removes the log that the open database has left beside a file that took its place: SQLite would replay it into that file.
   */
  removeOwnLog(): void
}

/** Opening must be over. A database in memory is never replaced. */
export function fileWatch(path: string): FileWatch {
  const database = identityOf(path)
  const beside = ['-wal', '-shm'].map((suffix) => path + suffix)
  const own = new Map<string, string>()
  return {
    isReplaced() {
      if (database === undefined) return false
      if (identityOf(path) !== database) return true
      for (const file of beside) {
        const identity = own.has(file) ? undefined : identityOf(file)
        if (identity !== undefined) own.set(file, identity)
      }
      return false
    },
    removeOwnLog() {
      const { rmSync } = hostModule('node:fs')
      for (const [file, identity] of own) if (identityOf(file) === identity) rmSync(file, { force: true })
    },
  }
}

/** Undefined where there is no such file, or no way to tell it from another. */
function identityOf(path: string): string | undefined {
  const found = hostModule('node:fs').statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined || found.ino === 0n ? undefined : `${found.dev} ${found.ino}`
}

/** The same core, which looks for its file before it writes. `replaced` throws: what was to be written goes on from the old file. */
export function withFileWatch(core: StoreCore, watch: FileWatch, replaced: () => never): StoreCore {
  const look = (): void => {
    if (watch.isReplaced()) replaced()
  }
  return {
    ...core,
    async write(batch) {
      look()
      return core.write(batch)
    },
    async ping() {
      look()
      return core.ping()
    },
  }
}

export function replacedError(): Error {
  return new Error('its file was deleted or replaced')
}
