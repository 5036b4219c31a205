import { sha256 } from '../../host/index.ts'
import { storeError } from '../kernel/store.ts'

/** What stands for a tenant in the names of its blobs: any tenant is a valid name, and none can be read off it. */
export function tenantName(tenant: string): string {
  return sha256(tenant).slice(0, 32)
}

/** Throws `store-failed` where a hash is none: it becomes part of a path. */
export function requireHash(hash: string): void {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw storeError('read', 'a blob has no such hash', 'Copy it as it was given.')
}
