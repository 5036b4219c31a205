import { limitsAny } from '../budget-settings.ts'
import type { GatewayConfig } from '../config-schema.ts'
import { settingsFor } from '../tenant-settings.ts'
import { defaultTenant } from '../tenant-names.ts'
import { isStrict } from './request-outlay.ts'

/** Whether the requests of every tenant are refused while they cannot be counted. */
export function refusesAll(config: GatewayConfig): boolean {
  const named = [...config.tokens.map(({ tenant }) => tenant), ...Object.keys(config.tenants)]
  const tenants = named.length === 0 ? [defaultTenant] : named
  return tenants.every((tenant) => {
    const { budgets: limits } = settingsFor(config, tenant)
    return limitsAny(limits) && isStrict([{ limits }])
  })
}
