import { createHmac, randomBytes } from 'node:crypto'
import type { Store } from '../stores/index.ts'

/**
 * A key for each tenant, from which neither the secret nor another's key can be told. The secret is the store's: whoever
 * shares a store makes the same handles.
 */
export async function handleKeys(store: Store): Promise<(tenant: string) => string> {
  const secret = await store.claimValue('handle-secret', randomBytes(32).toString('base64url'))
  const keys = new Map<string, string>()
  return (tenant) => {
    const known = keys.get(tenant)
    if (known !== undefined) return known
    const key = createHmac('sha256', secret).update(tenant).digest('base64url')
    keys.set(tenant, key)
    return key
  }
}
