import type { GatewayConfig } from '../config.ts'

type Configured = Pick<GatewayConfig, 'tenants' | 'tokens' | 'operators' | 'budgets'>

/** What to say of a tenant that no configuration names; its name may be misspelt, and then nothing that was meant for it holds. */
export function tenantWarnings(config: Configured, tenant: string): readonly string[] {
  const { tenants, tokens, operators, budgets } = config
  const isNamed =
    Object.hasOwn(tenants, tenant) || operators.includes(tenant) || tokens.some((one) => one.tenant === tenant)
  if (isNamed) return []
  const budget = Object.keys(budgets).length === 0 ? 'no budget' : 'the budgets of all'
  return [`tenant ${tenant} is in no configuration: ${budget}, default policy`]
}

/** The same of settings that are stored for a tenant: they hold, but maybe for nobody. */
export function settingsWarnings(config: Configured, tenant: string): readonly string[] {
  return tenantWarnings(config, tenant).map(
    () => `tenant ${tenant} is in no configuration: the settings hold for its keys alone`,
  )
}
