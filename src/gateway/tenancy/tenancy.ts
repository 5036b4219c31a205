import { isPrehendError, stableJson } from '../../core/index.ts'
import { withinDeadline } from '../../sessions/index.ts'
import type { Hot, Store } from '../../stores/index.ts'
import type { GatewayConfig } from '../config.ts'
import { stampName } from '../keys/tenant-stamp.ts'
import { keyVault } from '../provider-keys/key-vault.ts'
import type { KeyVault } from '../provider-keys/key-vault.ts'
import { openKey } from '../provider-keys/sealed-keys.ts'
import type { StoredProviderKey } from '../provider-keys/sealed-keys.ts'
import type { Logger } from '../telemetry/logger.ts'
import { effectiveConfig } from './effective-config.ts'
import type { ReadProviderKey, TenantsInStore } from './effective-config.ts'
import { nameOfError } from '../telemetry/name-of-error.ts'

/** What tenants have in the store, beside what the configuration says of them. */
export interface Tenancy {
  /** A configuration with it, as it stands now. Rejects with `invalid-input` where both do not go together. */
  applied(written: GatewayConfig): Promise<GatewayConfig>
  /** The revision of a tenant's settings that is in force on this process; 0 where it has none. */
  revisionOf(tenant: string): number
  /** Whether the key that a tenant has set can be read on this process. */
  isReadable(tenant: string, upstream: string): boolean
  /** That something was changed: in force here once this resolves, and elsewhere at once. */
  changed(): Promise<void>
  /** Calls back when something may have changed, until the returned function is called. */
  watch(refresh: () => Promise<void>): () => void
}

export interface TenancyOptions {
  readonly store: Store
  readonly hot: Pick<Hot, 'publish' | 'subscribe'>
  readonly logger: Logger
  readonly limitMs: number
}

const channel = 'tenants changed'

/** How often the store is asked, because a message may be lost and processes may share a store alone. */
const lookMs = 5000

export function openTenancy({ store, hot, logger, limitMs }: TenancyOptions): Tenancy {
  const reader = keyReader(logger)
  let stamp: string | undefined
  let inForce: TenantsInStore = { settings: [], keys: [] }
  let refresh: () => Promise<void> = () => Promise.resolve()

  const stampNow = (): Promise<string | undefined> => withinDeadline(store.read('values').get(stampName), limitMs)
  const hasUnread = (): boolean => inForce.keys.some(({ apiKey }) => apiKey === undefined)
  const look = async (): Promise<void> => {
    if ((await stampNow()) !== stamp || hasUnread()) await refresh()
  }
  const tried = (work: Promise<void>): void =>
    void work.catch((error: unknown) => logger.error('tenants-unread', { reason: reasonOf(error) }))

  return {
    async applied(written) {
      // Read before the rows: what changes between the two is read again.
      const stampOfRows = await stampNow()
      const [settings, rows] = await Promise.all([
        store.read('tenant-settings').list(),
        store.read('provider-keys').list(),
      ])
      const keys = await reader.read(written, rows)
      const config = effectiveConfig(written, { settings, keys })
      stamp = stampOfRows
      inForce = { settings, keys }
      return config
    },
    revisionOf: (tenant) => inForce.settings.find((one) => one.tenant === tenant)?.revision ?? 0,
    isReadable: (tenant, upstream) =>
      inForce.keys.some((one) => one.tenant === tenant && one.upstream === upstream && one.apiKey !== undefined),
    async changed() {
      await refresh()
      await hot.publish(channel, '').catch(() => logger.warn('news-unsent'))
    },
    watch(call) {
      refresh = call
      const stopHearing = hot.subscribe(channel, () => tried(look()))
      const timer = setInterval(() => tried(look()), lookMs).unref()
      return () => {
        clearInterval(timer)
        stopHearing()
      }
    },
  }
}

interface KeyReader {
  read(config: GatewayConfig, rows: readonly StoredProviderKey[]): Promise<readonly ReadProviderKey[]>
}

/** Data keys that were unwrapped are remembered: a command is asked once for each. */
function keyReader(logger: Logger): KeyReader {
  let of = ''
  let vault: KeyVault = keyVault(undefined)
  let known = new Map<string, Promise<Buffer>>()
  const told = new Set<string>()

  const unwrap = (wrapped: string): Promise<Buffer> => {
    const before = known.get(wrapped)
    if (before) return before
    const found = vault.unwrap(wrapped)
    known.set(wrapped, found)
    found.catch(() => known.delete(wrapped))
    return found
  }
  const readOne = async (row: StoredProviderKey): Promise<ReadProviderKey> => {
    const { tenant, key: upstream, value } = row
    const { version } = value
    try {
      return { tenant, upstream, version, apiKey: await openKey({ unwrap }, row) }
    } catch (error) {
      const fields = { tenant, upstream, reason: reasonOf(error) }
      if (!told.has(stableJson(fields))) logger.error('provider-key-unread', fields)
      told.add(stableJson(fields))
      return { tenant, upstream, version }
    }
  }
  return {
    async read({ providerKeys }, rows) {
      const now = JSON.stringify(providerKeys ?? null)
      if (now !== of) {
        vault = keyVault(providerKeys)
        known = new Map()
        told.clear()
        of = now
      }
      return Promise.all(rows.map(readOne))
    },
  }
}

/** Messages of ours hold no secret; those of others may. */
function reasonOf(error: unknown): string {
  if (isPrehendError(error)) return error.message
  return nameOfError(error)
}
