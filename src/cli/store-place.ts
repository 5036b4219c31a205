import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { platform } from 'node:process'
import { PrehendError, invalidInput, isPrehendError } from '../core/index.ts'
import { sha256 } from '../host/index.ts'
import { isPostgresUrl, postgresPlace, sqliteStore, threadedSqliteStore } from '../stores/index.ts'
import { variablesOf } from './variables.ts'
import type { SqliteStoreOptions, Store, Table } from '../stores/index.ts'
import type { PostgresStoreOptions } from '../stores/remote/index.ts'
import type { OptionValues } from './command.ts'
import type { Io } from './io.ts'

export const dataOption = {
  type: 'text',
  about: 'folder that holds the store',
  placeholder: 'DIR',
  fallback: '.prehend where it exists, else ~/.local/share/prehend',
  variables: variablesOf('DATA'),
} as const

export const storeOption = {
  type: 'text',
  about: 'PostgreSQL that gateways share, in place of a file',
  placeholder: 'URL',
  variables: variablesOf('STORE'),
} as const

/** Where a command finds the store. */
export const storeOptions = { data: dataOption, store: storeOption } as const

export type StoreOptions = OptionValues<typeof storeOptions>

/** A store in a file, or in a database of a server. */
export type StorePlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'server'; readonly url: string }

/** That of a server where one is named, else the file in the folder that is named or in the usual one. */
export function storePlace({ data, store }: StoreOptions, environment: Io['environment']): StorePlace {
  if (store === undefined) return { kind: 'file', path: storeFile(data, environment) }
  if (isPostgresUrl(store)) return { kind: 'server', url: store }
  throw invalidInput(
    '--store',
    'is no address of a PostgreSQL server',
    'Give one such as postgres://127.0.0.1/prehend, or a folder with --data',
  )
}

/** For people: a path, or the address of a database without user and password. */
export function storeName(place: StorePlace): string {
  return place.kind === 'file' ? place.path : postgresPlace(place.url)
}

/** The same for all who name one store, whatever they call its folder; it does not say where the store is. */
export function storeId(place: StorePlace): string {
  const name = place.kind === 'file' ? realFile(place.path) : postgresPlace(place.url)
  return sha256(`store\n${name}`).slice(0, 16)
}

/** A folder may be a link; a file that is not there yet will be in it. */
function realFile(path: string): string {
  const folder = resolve(dirname(path))
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path))
}

/** Where bytes are kept beside a store that has no file of its own; undefined where they lie beside its file. */
export function blobsFolder({ data, store }: StoreOptions, environment: Io['environment']): string | undefined {
  return store === undefined ? undefined : join(data ?? usualFolder(environment), 'blobs')
}

function storeFile(data: string | undefined, environment: Io['environment']): string {
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
    ? join(homeFolder(environment), 'AppData', 'Local', 'prehend')
    : join(homeFolder(environment), '.local', 'share', 'prehend')
}

/** The home folder of the user. Throws where there is none. */
export function homeFolder({ HOME = '' }: Io['environment']): string {
  if (HOME !== '') return HOME
  try {
    return homedir()
  } catch (error) {
    throw storeError('There is no home folder to keep it in', error)
  }
}

/** Opens a store for one command, with the tables of its extensions. */
export async function openStore(place: StorePlace, io: Io, tables: readonly Table[] = []): Promise<Store> {
  if (place.kind === 'server') return openServer(place.url, { connections: 1, tables })
  return opened(place.path, io, (options) => sqliteStore({ ...options, tables }))
}

/** Opens the store of a command that makes none. Rejects with `not-found` where there is none. */
export async function openStoreThere(options: StoreOptions, io: Io): Promise<Store> {
  const place = storePlace(options, io.environment)
  if (place.kind === 'server' || existsSync(place.path)) return openStore(place, io)
  const remedy =
    'Start a gateway first, or name its folder with --data, its database with --store or its address with --url.'
  throw new PrehendError('not-found', `There is no ${place.path}. ${remedy}`, { what: place.path, remedy })
}

/** What a store for a server is opened with: the tables of extensions, and the modules that bring them. */
export interface ServingStoreOptions {
  readonly rememberedBytes: number
  readonly tables: readonly Table[]
  readonly modules: readonly string[]
}

/** Opens a store for a server. */
export async function openServingStore(
  place: StorePlace,
  io: Io,
  { rememberedBytes, tables, modules }: ServingStoreOptions,
): Promise<Store> {
  if (place.kind === 'server') return openServer(place.url, { rememberedBytes, tables })
  return opened(place.path, io, (options) => threadedSqliteStore({ ...options, rememberedBytes, modules }))
}

async function openServer(url: string, options: Omit<PostgresStoreOptions, 'url'>): Promise<Store> {
  const { postgresStore } = await import('../stores/remote/index.ts')
  return postgresStore({ url, ...options })
}

async function opened(
  path: string,
  io: Io,
  open: (options: Pick<SqliteStoreOptions, 'path' | 'onTightened'>) => Store | Promise<Store>,
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
