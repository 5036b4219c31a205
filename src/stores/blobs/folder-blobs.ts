import { isPrehendError } from '../../core/index.ts'
import { randomText, sha256 } from '../../host/index.ts'
import { storeError } from '../kernel/store.ts'
import { hostModule } from '../kernel/host-module.ts'
import { requireHash, tenantName } from './blob-names.ts'
import type { BlobRef, Blobs, ByteRange } from './blobs.ts'

type Place = Pick<BlobRef, 'tenant' | 'hash'>

/**
 * Blobs in a folder that only this user may read: a file for each, named by its hash, below a folder for each tenant. Several
 * processes may share it. A file is complete or not there: it gets its name when all bytes are on the disk.
 */
export function folderBlobs(folder: string): Blobs {
  const { promises: files } = hostModule('node:fs')
  const { join } = hostModule('node:path')
  const tenantFolder = (tenant: string): string => join(folder, tenantName(tenant))
  const pathOf = ({ tenant, hash }: Place): string => {
    requireHash(hash)
    return join(tenantFolder(tenant), hash.slice(0, 2), hash)
  }

  /** Tenants whose folders have no files left that a process did not end. */
  const tidied = new Set<string>()
  return {
    async put(tenant, given, { beforeStored } = {}) {
      const own = tenantFolder(tenant)
      const temporary = join(own, `${randomText(16)}.part`)
      try {
        await files.mkdir(own, { recursive: true, mode: 0o700 })
        const ref = { tenant, ...(await written(temporary, given)) }
        if (!tidied.has(own)) await removeUnended(own, temporary)
        tidied.add(own)
        await beforeStored?.(ref)
        const path = pathOf(ref)
        await files.mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
        await files.rename(temporary, path)
        return ref
      } catch (error) {
        await files.rm(temporary, { force: true }).catch(() => undefined)
        throw failed('write', error)
      }
    },
    async get(ref, range) {
      const path = pathOf(ref)
      try {
        if (range) return await partOf(path, range)
        const bytes = new Uint8Array(await files.readFile(path))
        if (sha256(bytes) !== ref.hash) throw new Error(`blob ${ref.hash} is damaged`)
        return bytes
      } catch (error) {
        if (isMissing(error)) return undefined
        throw failed('read', error)
      }
    },
    async dropTenant(tenant) {
      await files.rm(tenantFolder(tenant), { recursive: true, force: true }).catch((error: unknown) => {
        throw failed('write', error)
      })
    },
    async drop(ref) {
      await files.rm(pathOf(ref), { force: true }).catch((error: unknown) => {
        throw failed('write', error)
      })
    },
  }
}

/** Writes all bytes to a file of its own, and gives what they are. */
async function written(path: string, given: Parameters<Blobs['put']>[1]): Promise<Omit<BlobRef, 'tenant'>> {
  const hash = hostModule('node:crypto').createHash('sha256')
  let sizeBytes = 0
  const file = await hostModule('node:fs').promises.open(path, 'wx', 0o600)
  try {
    for await (const part of given instanceof Uint8Array ? [given] : given) {
      hash.update(part)
      sizeBytes += part.length
      await file.writeFile(part)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { hash: hash.digest('hex'), sizeBytes }
}

const unendedMs = 60 * 60 * 1000

/** Removes what processes that died while they wrote have left: files that are an hour older than one that was just written. */
async function removeUnended(folder: string, just: string): Promise<void> {
  const { promises: files } = hostModule('node:fs')
  const { join } = hostModule('node:path')
  const { mtimeMs: nowMs } = await files.stat(just)
  for (const name of await files.readdir(folder)) {
    if (!name.endsWith('.part')) continue
    const path = join(folder, name)
    // Another process may just have given it its name.
    const isOld = await files.stat(path).then(
      ({ mtimeMs }) => mtimeMs < nowMs - unendedMs,
      () => false,
    )
    if (isOld) await files.rm(path, { force: true })
  }
}

async function partOf(path: string, { start, end }: ByteRange): Promise<Uint8Array> {
  const file = await hostModule('node:fs').promises.open(path, 'r')
  try {
    const { size } = await file.stat()
    const from = Math.min(Math.max(0, start), size)
    const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - from))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** What a stream or its taker has said of itself stays as it was said. */
function failed(doing: string, cause: unknown): Error {
  if (isPrehendError(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return storeError(doing, reason, 'Check that the folder of blobs is writable, and that the disk has room.', cause)
}
