import { hmacSha256, randomText } from '../host/index.ts'
import { claimValue } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'

/**
 * A key for each tenant, from which neither the secret nor another's key can be told. The secret is the store's: whoever
 * shares a store makes the same handles.
 */
export async function handleKeys(store: Store): Promise<(tenant: string) => string> {
  const secret = await claimValue(store, 'handle-secret', randomText(32))
  const keys = new Map<string, string>()
  return (tenant) => {
    const known = keys.get(tenant)
    if (known !== undefined) return known
    const key = hmacSha256(secret, tenant)
    keys.set(tenant, key)
    return key
  }
}
