import { PrehendError, isPrehendError } from '../../core/index.ts'
import type { RevisionedValue } from '../../stores/index.ts'
import { requireConfig } from '../config.ts'
import type { GatewayConfig } from '../config.ts'
import { knownEndpoint } from '../../providers/index.ts'
import type { ProviderKeyName } from '../provider-keys/sealed-keys.ts'
import { ownSettings } from '../tenant-settings.ts'
import { mergedSettings, mergedUpstreams, readTenantSettings } from './tenant-settings-rows.ts'
import type { OwnSettings, StoredSettings } from './tenant-settings-rows.ts'

/** A key of a tenant for a provider that was read; without `apiKey` it cannot be. */
export interface ReadProviderKey extends ProviderKeyName {
  readonly version: string
  readonly apiKey?: string
}

/** What tenants have in the store. */
export interface TenantsInStore {
  readonly settings: readonly RevisionedValue<StoredSettings>[]
  readonly keys: readonly ReadProviderKey[]
}

/**
 * The configuration with what tenants have in the store, which goes before what it says of them itself. Throws `invalid-input` where both do not
 * go together.
 */
export function effectiveConfig(written: GatewayConfig, { settings, keys }: TenantsInStore): GatewayConfig {
  if (settings.length === 0 && keys.length === 0) return written
  let config = written
  for (const { tenant, value } of settings) config = withSettings(config, tenant, settingsOf(tenant, value))
  if (settings.length > 0) requireConfig(config, written)
  for (const key of keys) config = withKey(config, key)
  return config
}

/** Throws `invalid-input` where settings of a tenant do not go with the configuration. */
export function requireTenantSettings(written: GatewayConfig, tenant: string, settings: OwnSettings): void {
  requireConfig(withSettings(written, tenant, settings), written)
}

/** Whether something is known of an upstream by this name, for a tenant or for all. */
export function isUpstreamOf(config: GatewayConfig, { tenant, upstream }: ProviderKeyName): boolean {
  const { upstreams = {} } = ownSettings(config, tenant) ?? {}
  return (
    Object.hasOwn(config.upstreams, upstream) ||
    Object.hasOwn(upstreams, upstream) ||
    knownEndpoint(upstream) !== undefined
  )
}

function settingsOf(tenant: string, value: StoredSettings): OwnSettings {
  try {
    return readTenantSettings(value, `tenants.${tenant}`)
  } catch (error) {
    if (!isPrehendError(error) || error.code !== 'invalid-input') throw error
    const remedy = `Change them with prehend tenants set ${tenant} FILE, or remove them with prehend tenants reset ${tenant}.`
    const message = `The stored settings of ${tenant} cannot be used: ${error.message} ${remedy}`
    throw new PrehendError('invalid-input', message, { field: `tenants.${tenant}`, remedy }, error)
  }
}

function withSettings(config: GatewayConfig, tenant: string, settings: OwnSettings): GatewayConfig {
  return { ...config, tenants: { ...config.tenants, [tenant]: mergedSettings(ownSettings(config, tenant), settings) } }
}

/** A key for an upstream of which nothing is known any more is left out: no request goes there. */
function withKey(config: GatewayConfig, { tenant, upstream, apiKey }: ReadProviderKey): GatewayConfig {
  if (!isUpstreamOf(config, { tenant, upstream })) return config
  if (apiKey === undefined && config.providerKeys?.fallBack) return config
  const own = ownSettings(config, tenant)
  const upstreams = mergedUpstreams(own?.upstreams, { [upstream]: { apiKey, credentials: undefined } })
  const tenants = { ...config.tenants, [tenant]: { ...own, upstreams } }
  if (apiKey !== undefined) return { ...config, tenants }
  const before = config.unreadableKeys ?? {}
  return { ...config, tenants, unreadableKeys: { ...before, [tenant]: [...(before[tenant] ?? []), upstream] } }
}
