import type { z } from 'zod'
import { readPolicy } from '../compiler/index.ts'
import { configSchema } from './config-schema.ts'
import type { GatewayConfig } from './config-schema.ts'
import { requireRoutes } from './model-routes.ts'
import { gatewayPolicies } from './policies.ts'
import { requireTenant, requireUpstreams } from './require-tenant.ts'
import { requireWriter } from './summary-settings.ts'
import { withTenantNames } from './tenant-names.ts'
import { zodRefusal } from './zod-refusal.ts'

export type { GatewayConfig, GatewayConfigInput } from './config-schema.ts'

/** Reads a configuration. Pure. Unknown keys and wrong values throw `invalid-input` with the path of the first. */
export function parseConfig(value: unknown): GatewayConfig {
  const given = withTenantNames(value ?? {})
  const parsed = configSchema.safeParse(given)
  if (parsed.success) return withPolicies(parsed.data)
  throw zodRefusal({ schema: configSchema, value: given, error: parsed.error, whole: 'config' })
}

/** A policy that is written where its name would stand is one of the policies. */
function withPolicies({ policy, policies, ...rest }: z.output<typeof configSchema>): GatewayConfig {
  const config: GatewayConfig =
    typeof policy === 'string'
      ? { ...rest, policy, policies }
      : { ...rest, policy: readPolicy(policy, { at: 'policy' }).id, policies: [...policies, policy] }
  requireWriter(config, gatewayPolicies(config).own)
  requireUpstreams(config)
  requireRoutes(config)
  for (const tenant of Object.keys(config.tenants)) requireTenant(config, tenant)
  return config
}
