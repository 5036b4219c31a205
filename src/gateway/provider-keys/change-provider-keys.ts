import { PrehendError, isPrehendError } from '../../core/index.ts'
import { installation } from '../../stores/index.ts'
import type { RevisionedValue, SealedKey, Store, Write } from '../../stores/index.ts'
import type { ChangedBy } from '../keys/change-keys.ts'
import { newStamp } from '../keys/tenant-stamp.ts'
import { wrappedBy } from './key-vault.ts'
import type { KeyVault } from './key-vault.ts'
import { openKey, sealKey } from './sealed-keys.ts'
import type { ProviderKeyName, StoredProviderKey } from './sealed-keys.ts'

/** What changes of provider keys need. */
export interface ProviderKeyHost {
  readonly store: Store
  readonly vault: KeyVault
  readonly clock: () => number
}

/** A key as it is shown. The key itself is never shown again. */
export interface ShownProviderKey extends ProviderKeyName {
  readonly prefix: string
  readonly lastFour: string
  readonly setMs: number
  readonly revision: number
  /** The secret or command by which its data key is encrypted. */
  readonly wrappedBy: string
}

/** A stored key of a provider as routes show it: its beginning and its last four characters, never the key. */
export function shownProviderKey({ tenant, key, revision, value }: RevisionedValue<SealedKey>): ShownProviderKey {
  const { prefix, lastFour, setMs, dataKey } = value
  return { tenant, upstream: key, prefix, lastFour, setMs, revision, wrappedBy: wrappedBy(dataKey) }
}

/** Stores a tenant's key for a provider, encrypted, in place of the one before. Rejects with `not-configured` where nothing can encrypt. */
export async function setProviderKey(
  { store, vault, clock }: ProviderKeyHost,
  { tenant, upstream, key }: ProviderKeyName & { readonly key: string },
  by: ChangedBy,
): Promise<ShownProviderKey> {
  const nowMs = clock()
  const stored = await store.read('provider-keys').list()
  const before = stored.find((one) => one.tenant === tenant && one.key === upstream)
  const value = await sealKey(vault, { tenant, upstream, key, nowMs, stored })
  const revision = (before?.revision ?? 0) + 1
  const write = { table: 'provider-keys', key: upstream, revision, value } as const
  const action = before === undefined ? 'provider-key.set' : 'provider-key.replace'
  await commit(store, { tenant, nowMs, writes: [write, { table: 'audit', action, target: upstream, ...by }] })
  return shownProviderKey({ tenant, key: upstream, revision, value, writtenMs: nowMs })
}

/** Rejects with `not-found`. */
export async function removeProviderKey(
  { store, clock }: Pick<ProviderKeyHost, 'store' | 'clock'>,
  { tenant, upstream }: ProviderKeyName,
  by: ChangedBy,
): Promise<ShownProviderKey> {
  const before = await store.read('provider-keys').get(tenant, upstream)
  if (before === undefined) throw noSuchKey(tenant, upstream)
  const write = { table: 'provider-keys', key: upstream, revision: before.revision + 1 } as const
  const entry = { table: 'audit', action: 'provider-key.remove', target: upstream, ...by } as const
  await commit(store, { tenant, nowMs: clock(), writes: [write, entry] })
  return shownProviderKey(before)
}

/** The result of `rewrapProviderKeys`. */
export interface Rewrapped {
  /** How many keys are encrypted by the present secret or command now. */
  readonly rewrapped: number
  /** How many were already. */
  readonly current: number
  /** Those that cannot be read, and stay as they are. */
  readonly unreadable: readonly ProviderKeyName[]
}

/** Wraps the data keys of all tenants by the secret or command that is configured now, once the secret was replaced. */
export async function rewrapProviderKeys({ store, vault, clock }: ProviderKeyHost, by: ChangedBy): Promise<Rewrapped> {
  const stored = await store.read('provider-keys').list()
  const old = stored.filter(({ value }) => !vault.isCurrent(value.dataKey))
  const wrapped = new Map<string, string>()
  const unreadable: ProviderKeyName[] = []
  let rewrapped = 0
  for (const row of old) {
    const dataKey = await newDataKey(vault, row, wrapped)
    if (dataKey === undefined) unreadable.push({ tenant: row.tenant, upstream: row.key })
    else if (await rewrite(store, { row, dataKey, nowMs: clock(), by })) rewrapped += 1
  }
  const entry = { table: 'audit', action: 'provider-keys.rewrap', target: `${rewrapped} keys`, ...by } as const
  if (rewrapped > 0) await store.commit({ scope: installation, nowMs: clock(), writes: [entry] })
  return { rewrapped, current: stored.length - old.length, unreadable }
}

/** The data key of a row, wrapped anew; undefined where the row cannot be read. Throws where nothing can be wrapped now. */
async function newDataKey(
  vault: KeyVault,
  row: StoredProviderKey,
  wrapped: Map<string, string>,
): Promise<string | undefined> {
  const isReadable = await openKey(vault, row).then(
    () => true,
    () => false,
  )
  if (!isReadable) return undefined
  const known = wrapped.get(row.value.dataKey) ?? (await vault.wrap(await vault.unwrap(row.value.dataKey)))
  wrapped.set(row.value.dataKey, known)
  return known
}

interface Rewriting {
  readonly row: StoredProviderKey
  readonly dataKey: string
  readonly nowMs: number
  readonly by: ChangedBy
}

/** Gives whether it was written: a key that was set meanwhile is encrypted by the present secret. */
async function rewrite(store: Store, { row, dataKey, nowMs, by }: Rewriting): Promise<boolean> {
  const { tenant, key, revision, value } = row
  const write = { table: 'provider-keys', key, revision: revision + 1, value: { ...value, dataKey } } as const
  const entry = { table: 'audit', action: 'provider-key.rewrap', target: key, ...by } as const
  try {
    await commit(store, { tenant, nowMs, writes: [write, entry] })
    return true
  } catch (error) {
    if (isPrehendError(error) && error.code === 'conflict') return false
    throw error
  }
}

interface TenantUnit {
  readonly tenant: string
  readonly nowMs: number
  readonly writes: readonly Write[]
}

function commit(store: Store, { tenant, nowMs, writes }: TenantUnit): Promise<void> {
  return store.commit({ scope: { tenant, session: '' }, nowMs, writes: [...writes, newStamp()] })
}

function noSuchKey(tenant: string, upstream: string): PrehendError<'not-found'> {
  const remedy = 'List them with prehend provider-keys list.'
  return new PrehendError('not-found', `${tenant} has no key of its own for ${upstream}. ${remedy}`, {
    what: 'provider key',
    remedy,
  })
}
