import type { z } from 'zod'
import { readPolicy } from '../compiler/index.ts'
import { inOne, isJsonObject } from '../core/index.ts'
import { blobsErrors, tenantErrors, tokenErrors, upstreamErrors } from './config-errors.ts'
import { configSchema } from './config-schema.ts'
import type { GatewayConfig } from './config-schema.ts'
import { routeErrors } from './model-routes.ts'
import { gatewayPolicies } from './policies.ts'
import type { GatewayPolicies } from './policies.ts'
import { policyChecks, windowChecks } from './require-policies.ts'
import { toolErrors } from './tools/tool-settings.ts'
import { requireWriter } from './summary-settings.ts'
import { withTenantNames } from './tenant-names.ts'
import { zodRefusals } from './zod-refusal.ts'

export type { GatewayConfig, GatewayConfigInput } from './config-schema.ts'

/**
 * Reads a configuration. Pure. Throws one `invalid-input` with a line for everything that is wrong: unknown keys and wrong values, and
 * what cannot be together, such as settings with which no request of a tenant could be packed.
 */
export function parseConfig(value: unknown): GatewayConfig {
  const given = withTenantNames(value ?? {})
  const parsed = configSchema.safeParse(given)
  if (!parsed.success) {
    const refused = zodRefusals({ schema: configSchema, value: given, error: parsed.error, whole: 'config' })
    throw inOne([...refused, ...errorsBeside(given, parsed.error)])
  }
  const config = withPolicies(parsed.data)
  const errors = errorsOf(config)
  if (errors.length > 0) throw inOne(errors)
  return config
}

/** What is wrong beside what the schema refuses, as far as the one cannot follow from the other. */
function errorsBeside(given: unknown, { issues }: z.core.$ZodError): readonly unknown[] {
  const refused = new Set(
    issues.flatMap((issue) => ('keys' in issue && issue.path.length === 0 ? issue.keys : [String(issue.path[0])])),
  )
  if (!isJsonObject(given) || ['upstreams', 'policies', 'policy', 'tokens'].some((name) => refused.has(name))) return []
  const rest = configSchema.safeParse(Object.fromEntries(Object.entries(given).filter(([name]) => !refused.has(name))))
  return rest.success ? errorsOf(withPolicies(rest.data)) : []
}

/** A policy that is written where its name would stand is one of the policies. */
function withPolicies({ policy, policies, ...rest }: z.output<typeof configSchema>): GatewayConfig {
  return typeof policy === 'string'
    ? { ...rest, policy, policies }
    : { ...rest, policy: readPolicy(policy, { at: 'policy' }).id, policies: [...policies, policy] }
}

function errorsOf(config: GatewayConfig): readonly unknown[] {
  const ofPlaces = [
    ...tokenErrors(config),
    ...upstreamErrors(config),
    ...blobsErrors(config),
    ...routeErrors(config),
    ...toolErrors(config.tools),
    ...Object.keys(config.tenants).flatMap((tenant) => tenantErrors(config, tenant)),
  ]
  const ofSettings = errorOf(() => gatewayPolicies(config))
  const read = policiesWithout(config, ofSettings.length > 0)
  if (read === undefined) return [...ofSettings, ...ofPlaces]
  const checks = [() => requireWriter(config, read.own), ...policyChecks(config, read), ...windowChecks(config)]
  return [...ofSettings, ...ofPlaces, ...checks.flatMap((check) => errorOf(check))]
}

/** The policies without the settings that are wrong; undefined where that is not all that is wrong with them. */
function policiesWithout(config: GatewayConfig, isWrong: boolean): GatewayPolicies | undefined {
  try {
    return gatewayPolicies(isWrong ? { ...config, settings: {} } : config)
  } catch {
    return undefined
  }
}

function errorOf(check: () => void): readonly unknown[] {
  try {
    check()
    return []
  } catch (error) {
    return [error]
  }
}
