import type { z } from 'zod'
import { readPolicy } from '../compiler/index.ts'
import { inOne } from '../core/index.ts'
import { configSchema } from './config-schema.ts'
import type { GatewayConfig } from './config-schema.ts'
import { requireRoutes } from './model-routes.ts'
import { gatewayPolicies } from './policies.ts'
import { policyChecks, windowChecks } from './require-policies.ts'
import { requireTenant, requireUpstreams } from './require-tenant.ts'
import { requireWriter } from './summary-settings.ts'
import { withTenantNames } from './tenant-names.ts'
import { zodRefusals } from './zod-refusal.ts'

export type { GatewayConfig, GatewayConfigInput } from './config-schema.ts'

/**
 * Reads a configuration. Pure. Throws one `invalid-input` with a line for everything that is wrong: first for unknown keys and wrong values, then for
 * what cannot be together, such as settings with which no request of a tenant could be packed.
 */
export function parseConfig(value: unknown): GatewayConfig {
  const given = withTenantNames(value ?? {})
  const parsed = configSchema.safeParse(given)
  if (parsed.success) return withPolicies(parsed.data)
  throw inOne(zodRefusals({ schema: configSchema, value: given, error: parsed.error, whole: 'config' }))
}

/** A policy that is written where its name would stand is one of the policies. */
function withPolicies({ policy, policies, ...rest }: z.output<typeof configSchema>): GatewayConfig {
  const config: GatewayConfig =
    typeof policy === 'string'
      ? { ...rest, policy, policies }
      : { ...rest, policy: readPolicy(policy, { at: 'policy' }).id, policies: [...policies, policy] }
  const ofSettings = errorOf(() => gatewayPolicies(config))
  const read = gatewayPolicies(ofSettings.length === 0 ? config : { ...config, settings: {} })
  const checks = [
    () => requireWriter(config, read.own),
    () => requireUpstreams(config),
    () => requireRoutes(config),
    ...Object.keys(config.tenants).map((tenant) => () => requireTenant(config, tenant)),
    ...policyChecks(config, read),
    ...windowChecks(config),
  ]
  const errors = [...ofSettings, ...checks.flatMap((check) => errorOf(check))]
  if (errors.length > 0) throw inOne(errors)
  return config
}

function errorOf(check: () => void): readonly unknown[] {
  try {
    check()
    return []
  } catch (error) {
    return [error]
  }
}
