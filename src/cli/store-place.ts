import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { platform } from 'node:process'
import { PrehendError, isPrehendError } from '../core/index.ts'
import { sqliteStore, threadedSqliteStore } from '../stores/index.ts'
import { variablesOf } from './variables.ts'
import type { SqliteStoreOptions, Store } from '../stores/index.ts'
import type { Io } from './io.ts'

export const dataOption = {
  type: 'text',
  about: 'folder that holds the store',
  placeholder: 'DIR',
  fallback: '.prehend where it exists, else $XDG_DATA_HOME/prehend or ~/.local/share/prehend',
  variables: variablesOf('DATA'),
} as const

/** The file of the store, in the folder that was named or in the usual one. */
export function storeFile(data: string | undefined, environment: Io['environment']): string {
  return join(data ?? usualFolder(environment), 'prehend.sqlite')
}

const localFolder = '.prehend'

/** In the current folder where somebody has made one, else where the user's programs keep their data. */
function usualFolder(environment: Io['environment']): string {
  if (existsSync(localFolder)) return localFolder
  const told = environment[platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_DATA_HOME'] ?? ''
  // A relative one is to be ignored: https://specifications.freedesktop.org/basedir
  if (isAbsolute(told)) return join(told, 'prehend')
  return platform === 'win32'
    ? join(home(environment), 'AppData', 'Local', 'prehend')
    : join(home(environment), '.local', 'share', 'prehend')
}

function home({ HOME = '' }: Io['environment']): string {
  if (HOME !== '') return HOME
  try {
    return homedir()
  } catch (error) {
    throw storeError('There is no home folder to keep it in', error)
  }
}

/** Opens a store for one command. */
export async function openStore(path: string, io: Io): Promise<Store> {
  return opened(path, io, (options) => sqliteStore(options))
}

/** Opens a store for a server. */
export async function openServingStore(
  path: string,
  io: Io,
  remembering: Pick<SqliteStoreOptions, 'rememberedBytes'>,
): Promise<Store> {
  return opened(path, io, (options) => threadedSqliteStore({ ...options, ...remembering }))
}

async function opened(
  path: string,
  io: Io,
  open: (options: SqliteStoreOptions) => Store | Promise<Store>,
): Promise<Store> {
  const onTightened = (paths: readonly string[]): void =>
    io.err(`prehend: other users of this machine could read ${paths.join(', ')}; now only you can\n`)
  try {
    return await open({ path, onTightened })
  } catch (error) {
    if (!isPrehendError(error) || error.code !== 'store-failed') throw error
    throw storeError(`The store ${path} cannot be used: ${reasonOf(error)}`, error)
  }
}

/** What the system or SQLite said. */
export function reasonOf(error: unknown): string {
  const said = isPrehendError(error) && error.cause instanceof Error ? error.cause : error
  return (said instanceof Error ? said.message : String(said)).replace(/\.+$/, '')
}

function storeError(problem: string, cause: unknown): PrehendError<'store-failed'> {
  const remedy = 'Name another folder with --data DIR or PREHEND_DATA'
  return new PrehendError('store-failed', `${problem}. ${remedy}.`, { remedy }, cause)
}
