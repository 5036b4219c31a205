import { revisionedTable } from '../revisioned-table.ts'
import type { SealedKey } from './sealed-key.ts'

/** Keys of tenants for providers, encrypted, by the name of the upstream. */
export const providerKeysTable = revisionedTable<SealedKey>()('provider-keys')
