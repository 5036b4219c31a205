import { hostModule } from '../kernel/host-module.ts'

/** Makes the file of a store, and its folder, where they are missing: for this user alone, and for no repository. */
export function makePrivate(file: string): void {
  const { closeSync, openSync, writeFileSync } = hostModule('node:fs')
  const { dirname, join } = hostModule('node:path')
  const folder = dirname(file)
  if (makeFolder(folder)) writeFileSync(join(folder, '.gitignore'), '*\n', { mode: 0o600 })
  closeSync(openSync(file, 'a', 0o600))
}

/**
 * Closes the files of a store to everybody else, also those that SQLite keeps beside it, and the folder where it holds nothing
 * else. Gives those that were open to others.
 */
export function closeToOthers(file: string): readonly string[] {
  return openToOthers(file).filter(closed)
}

/** What others may read or write of a store. */
export function openToOthers(file: string): readonly string[] {
  if (process.platform === 'win32') return []
  const folder = hostModule('node:path').dirname(file)
  const files = ['', '-wal', '-shm'].map((suffix) => file + suffix)
  return [...(isOfStoreAlone(folder, file) ? [folder] : []), ...files].filter((path) => (modeOf(path) & 0o077) !== 0)
}

function modeOf(path: string): number {
  return hostModule('node:fs').statSync(path, { throwIfNoEntry: false })?.mode ?? 0
}

/** Whether it had to be made. Step by step: where nothing can be made, as in `/proc`, a recursive `mkdir` never ends. */
function makeFolder(folder: string): boolean {
  const { mkdirSync, statSync } = hostModule('node:fs')
  if (statSync(folder, { throwIfNoEntry: false })) return false
  const parent = hostModule('node:path').dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (error) {
    // Another process was faster.
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function isOfStoreAlone(folder: string, file: string): boolean {
  const own = hostModule('node:path').basename(file)
  const { readdirSync } = hostModule('node:fs')
  return readdirSync(folder).every((name) => name === '.gitignore' || name.startsWith(own))
}

/** Those of another user stay as he has them. */
function closed(path: string): boolean {
  try {
    hostModule('node:fs').chmodSync(path, modeOf(path) & 0o700)
    return true
  } catch (error) {
    if (codeOf(error) === 'EPERM') return false
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
