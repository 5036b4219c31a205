import { perObject } from '../core/index.ts'
import type { GatewayConfig } from './config-schema.ts'

/** What of a configuration a tenant may have otherwise, beside its policy. */
export type TenantSettings = Pick<
  GatewayConfig,
  | 'allowedRoutes'
  | 'wholeAccount'
  | 'pinned'
  | 'limits'
  | 'timeouts'
  | 'repairs'
  | 'record'
  | 'tokenizer'
  | 'largestWindow'
  | 'promptCache'
  | 'checklist'
  | 'models'
  | 'aliases'
  | 'modelRoutes'
  | 'fallbacks'
  | 'upstreams'
  | 'summaries'
  | 'compaction'
  | 'budgets'
>

const settingsOf = perObject<GatewayConfig, Map<string, TenantSettings>>(() => new Map())

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
  const ofConfig = settingsOf(config)
  const settings = ofConfig.get(tenant) ?? merged(config, own)
  ofConfig.set(tenant, settings)
  return settings
}

/** Settings of which a tenant says some members and has the others as all have them. */
export const mergedGroups = [
  'limits',
  'timeouts',
  'promptCache',
  'models',
  'aliases',
  'modelRoutes',
  'fallbacks',
  'summaries',
  'compaction',
] as const

/** Figures and names are merged one by one; what a tenant has nothing of is the very value of all. */
function merged(config: GatewayConfig, own: GatewayConfig['tenants'][string]): TenantSettings {
  const groups = mergedGroups.map(
    (name) => [name, own[name] === undefined ? config[name] : { ...config[name], ...own[name] }] as const,
  )
  return {
    ...(Object.fromEntries(groups) as Pick<TenantSettings, (typeof mergedGroups)[number]>),
    upstreams: own.upstreams ? mergedUpstreams(config.upstreams, own.upstreams) : config.upstreams,
    allowedRoutes: own.allowedRoutes ?? config.allowedRoutes,
    wholeAccount: own.wholeAccount ?? config.wholeAccount,
    pinned: own.pinned ?? config.pinned,
    checklist: own.checklist ?? config.checklist,
    repairs: own.repairs ?? config.repairs,
    record: own.record ?? config.record,
    tokenizer: own.tokenizer ?? config.tokenizer,
    budgets: own.budgets ?? config.budgets,
    largestWindow: own.largestWindow ?? config.largestWindow,
  }
}

/** A tenant may have only a key of its own. */
function mergedUpstreams(
  ofAll: GatewayConfig['upstreams'],
  own: GatewayConfig['upstreams'],
): GatewayConfig['upstreams'] {
  const entries = Object.entries(own).map(([name, settings]) => [name, { ...ofAll[name], ...settings }] as const)
  return { ...ofAll, ...Object.fromEntries(entries) }
}
