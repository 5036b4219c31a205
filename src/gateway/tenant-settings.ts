import type { GatewayConfig } from './config.ts'

/** What of a configuration a tenant may have otherwise, beside its policy. */
export type TenantSettings = Pick<
  GatewayConfig,
  'limits' | 'timeouts' | 'repairs' | 'record' | 'tokenizer' | 'promptCache'
>

const known = new WeakMap<GatewayConfig, Map<string, TenantSettings>>()

/** What a configuration says of a tenant by itself. */
export function ownSettings(
  { tenants }: Pick<GatewayConfig, 'tenants'>,
  tenant: string,
): GatewayConfig['tenants'][string] | undefined {
  return Object.hasOwn(tenants, tenant) ? tenants[tenant] : undefined
}

/** What holds for a tenant; that of all where it has nothing of its own. */
export function settingsFor(config: GatewayConfig, tenant: string): TenantSettings {
  const own = ownSettings(config, tenant)
  if (own === undefined) return config
  const ofConfig = known.get(config) ?? new Map<string, TenantSettings>()
  known.set(config, ofConfig)
  const settings = ofConfig.get(tenant) ?? {
    limits: { ...config.limits, ...own.limits },
    timeouts: { ...config.timeouts, ...own.timeouts },
    promptCache: { ...config.promptCache, ...own.promptCache },
    repairs: own.repairs ?? config.repairs,
    record: own.record ?? config.record,
    tokenizer: own.tokenizer ?? config.tokenizer,
  }
  ofConfig.set(tenant, settings)
  return settings
}
