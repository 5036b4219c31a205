import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { finished, pipeline } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { PrehendError, invalidInput } from '../core/index.ts'
import { sqlitePortable } from '../stores/index.ts'
import type { PortableStore, Table } from '../stores/index.ts'
import type { StorePlace } from './store-place.ts'

/** Where a store is, and the tables of extensions that it has beside the built-in ones. */
export interface PortablePlace {
  readonly place: StorePlace
  readonly tables: readonly Table[]
}

/** A store as rows, for one command. */
export async function withPortable<Result>(
  { place, tables }: PortablePlace,
  work: (store: PortableStore) => Promise<Result>,
): Promise<Result> {
  if (place.kind === 'file') return work(sqlitePortable(place.path, tables))
  const { postgresPortable } = await import('../stores/remote/index.ts')
  const store = await postgresPortable(place.url, undefined, tables)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const isCompressed = (path: string): boolean => path.endsWith('.gz')

/** Writes a file that only its owner may read. It gets its name when it is whole; one that is there stays. */
export async function writePrivately<Result>(
  path: string,
  work: (write: (text: string) => Promise<void> | void) => Promise<Result>,
): Promise<Result> {
  if (existsSync(path)) throw invalidInput('FILE', `${path} is already there`, 'Give another name, or remove it first')
  const temporary = `${path}.part`
  const file = createWriteStream(temporary, { mode: 0o600, flags: 'w', flush: true })
  try {
    const gzip = isCompressed(path) ? createGzip() : undefined
    const into: Writable = gzip ?? file
    const ended = gzip ? pipeline(gzip, file) : finished(file)
    const written = ended.catch((error: NodeJS.ErrnoException) => {
      throw unusable(path, 'written', error)
    })
    written.catch(() => undefined)
    const result = await work((text) => {
      if (into.destroyed) return written
      return into.write(text) ? undefined : Promise.race([once(into, 'drain').then(() => undefined), written])
    })
    into.end()
    await written
    renameSync(temporary, path)
    return result
  } catch (error) {
    file.destroy()
    rmSync(temporary, { force: true })
    throw error
  }
}

/** The bytes of a file, as often as they are asked for. */
export function bytesOf(path: string): () => AsyncIterable<Uint8Array> {
  return async function* () {
    const file = createReadStream(path)
    try {
      if (!isCompressed(path)) return yield* file
      const bytes = createGunzip()
      const read = pipeline(file, bytes)
      read.catch(() => undefined)
      yield* bytes
      await read
    } catch (error) {
      if (isOfSystem(error) && /^(Z_|ERR_)/.test(String(error.code)))
        throw invalidInput('FILE', `${path} is not whole, or no gzip`, 'Copy or export it again; nothing was written')
      throw isOfSystem(error) ? unusable(path, 'read', error) : error
    } finally {
      file.destroy()
    }
  }
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && !(error instanceof PrehendError)
}

function unusable(path: string, doing: string, cause: NodeJS.ErrnoException): PrehendError {
  return invalidInput('FILE', `${path} cannot be ${doing}: ${cause.message}`, 'Check its folder, its mode and the disk')
}
