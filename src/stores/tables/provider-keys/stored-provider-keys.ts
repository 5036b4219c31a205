import { revisionedValueIn } from '../revisioned-table.ts'
import type { RevisionedValue } from '../revisioned-table.ts'
import type { SealedKey } from './sealed-key.ts'

/** Reads all keys of tenants, still encrypted, for whoever looks at a database without opening a store. */
export const storedProviderKeys = {
  sql: 'SELECT * FROM provider_keys ORDER BY tenant, key',
  of: (row: Readonly<Record<string, unknown>>): RevisionedValue<SealedKey> => revisionedValueIn<SealedKey>(row),
} as const
