import { randomBytes } from 'node:crypto'
import { PrehendError, stableJson } from '../../core/index.ts'
import { randomText } from '../../host/index.ts'
import type { RevisionedValue, SealedKey } from '../../stores/index.ts'
import { opened, sealed } from './aes-gcm.ts'
import { keyBytes } from './key-vault.ts'
import type { KeyVault } from './key-vault.ts'

/** Whose key it is, and for what. */
export interface ProviderKeyName {
  readonly tenant: string
  readonly upstream: string
}

export type StoredProviderKey = RevisionedValue<SealedKey>

export interface KeyToSeal extends ProviderKeyName {
  readonly key: string
  readonly nowMs: number
  /** Keys that are stored already: one data key serves all. */
  readonly stored: readonly StoredProviderKey[]
}

export async function sealKey(
  vault: KeyVault,
  { tenant, upstream, key, nowMs, stored }: KeyToSeal,
): Promise<SealedKey> {
  const version = randomText(16)
  const { dataKey, wrapped } = await dataKeyOf(vault, stored)
  const isLong = key.length >= 16
  return {
    version,
    dataKey: wrapped,
    sealed: sealed(dataKey, Buffer.from(key), associated({ tenant, upstream }, version)),
    prefix: isLong ? key.slice(0, 4) : '',
    lastFour: isLong ? key.slice(-4) : '',
    setMs: nowMs,
  }
}

/** Rejects with `not-configured` where the key cannot be read: by another secret, of another tenant, or changed. */
export async function openKey(
  vault: Pick<KeyVault, 'unwrap'>,
  { tenant, key, value }: StoredProviderKey,
): Promise<string> {
  const dataKey = await vault.unwrap(value.dataKey)
  const read = opened(dataKey, value.sealed, associated({ tenant, upstream: key }, value.version))
  if (read) return read.toString()
  const remedy = `Set it again: prehend provider-keys set ${key} --tenant ${tenant}.`
  const message = `The stored key of ${tenant} for ${key} was changed, or is another one's. ${remedy}`
  throw new PrehendError('not-configured', message, { provider: key, remedy })
}

/** A row that is copied to another tenant, another upstream or another version of the key cannot be read. */
function associated({ tenant, upstream }: ProviderKeyName, version: string): string {
  return stableJson({ of: 'prehend provider key', tenant, upstream, version })
}

interface DataKey {
  readonly dataKey: Buffer
  readonly wrapped: string
}

async function dataKeyOf(vault: KeyVault, stored: readonly StoredProviderKey[]): Promise<DataKey> {
  const wrapped = stored.find(({ value }) => vault.isCurrent(value.dataKey))?.value.dataKey
  const known = wrapped === undefined ? undefined : await vault.unwrap(wrapped).catch(() => undefined)
  if (wrapped !== undefined && known) return { dataKey: known, wrapped }
  const dataKey = randomBytes(keyBytes)
  return { dataKey, wrapped: await vault.wrap(dataKey) }
}
