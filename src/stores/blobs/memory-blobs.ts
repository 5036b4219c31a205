import { sha256 } from '../../host/index.ts'
import type { Blobs } from './blobs.ts'
import { gatherBytes } from './gather-bytes.ts'

/** Blobs of one process, for tests and for gateways that may forget. */
export function memoryBlobs(): Blobs {
  const tenants = new Map<string, Map<string, Uint8Array>>()
  return {
    async put(tenant, given, { beforeStored } = {}) {
      const bytes = given instanceof Uint8Array ? given.slice() : await gatherBytes(given)
      const hash = sha256(bytes)
      const ref = { tenant, hash, sizeBytes: bytes.length }
      await beforeStored?.(ref)
      const blobs = tenants.get(tenant) ?? new Map<string, Uint8Array>()
      tenants.set(tenant, blobs)
      if (!blobs.has(hash)) blobs.set(hash, bytes)
      return ref
    },
    get: async ({ tenant, hash }, range) => {
      const bytes = tenants.get(tenant)?.get(hash)
      return range ? bytes?.slice(Math.max(0, range.start), Math.max(0, range.end)) : bytes?.slice()
    },
    dropTenant: async (tenant) => void tenants.delete(tenant),
    drop: async ({ tenant, hash }) => void tenants.get(tenant)?.delete(hash),
  }
}
