import { isPrehendError } from '../../core/index.ts'
import type { PrehendError } from '../../core/index.ts'
import type { KeyVault } from './key-vault.ts'
import { openKey } from './sealed-keys.ts'
import type { ProviderKeyName, StoredProviderKey } from './sealed-keys.ts'

/** The result of `tryProviderKeys`. */
export interface TriedProviderKeys {
  readonly readable: number
  readonly unreadable: readonly (ProviderKeyName & { readonly error: PrehendError })[]
}

/** Decrypts each key, and lets go of it. A data key that serves many is unwrapped once. */
export async function tryProviderKeys(
  vault: Pick<KeyVault, 'unwrap'>,
  stored: readonly StoredProviderKey[],
): Promise<TriedProviderKeys> {
  const unwrapped = new Map<string, Promise<Buffer>>()
  const once: Pick<KeyVault, 'unwrap'> = {
    unwrap(wrapped) {
      const known = unwrapped.get(wrapped) ?? vault.unwrap(wrapped)
      unwrapped.set(wrapped, known)
      return known
    },
  }
  const unreadable: (ProviderKeyName & { readonly error: PrehendError })[] = []
  for (const row of stored)
    try {
      await openKey(once, row)
    } catch (error) {
      if (!isPrehendError(error)) throw error
      unreadable.push({ tenant: row.tenant, upstream: row.key, error })
    }
  return { readable: stored.length - unreadable.length, unreadable }
}
