import type { z } from 'zod'
import { dialects } from '../codecs/index.ts'
import { readPolicy } from '../compiler/index.ts'
import { inOne, isJsonObject } from '../core/index.ts'
import { blobsErrors, tenantErrors, tokenErrors, upstreamErrors } from './config-errors.ts'
import { configSchema } from './config-schema.ts'
import type { GatewayConfig } from './config-schema.ts'
import { dialectErrors } from './configured-dialects.ts'
import { embeddingErrors } from './embeddings/embedding-settings.ts'
import { routeErrors } from './model-routes.ts'
import { gatewayPolicies } from './policies.ts'
import type { GatewayPolicies } from './policies.ts'
import { policyChecks, windowChecks } from './require-policies.ts'
import { toolErrors } from './tools/tool-settings.ts'
import { requireWriter } from './summary-settings.ts'
import { withTenantNames } from './tenant-names.ts'
import { zodRefusals } from './zod-refusal.ts'

const page = 'docs/configuration.md'

export type { GatewayConfig, GatewayConfigInput } from './config-schema.ts'

/** What a configuration is read with. */
export interface ConfigReading {
  /** Names of the dialects of extensions that are handed in as values; those of extensions that the configuration names are checked when the gateway opens. */
  readonly dialects?: readonly string[]
}

/**
 * Reads a configuration. Pure. Throws one `invalid-input` with a line for everything that is wrong: unknown keys and wrong values, and
 * what cannot be together, such as settings with which no request of a tenant could be packed.
 */
export function parseConfig(value: unknown, { dialects: others = [] }: ConfigReading = {}): GatewayConfig {
  const given = withTenantNames(value ?? {})
  const parsed = configSchema.safeParse(given)
  if (!parsed.success) {
    const refused = zodRefusals({ schema: configSchema, value: given, error: parsed.error, whole: 'config', page })
    throw inOne([...refused, ...errorsBeside(given, { error: parsed.error, others })])
  }
  const config = withPolicies(parsed.data)
  const errors = errorsOf(config, others)
  if (errors.length > 0) throw inOne(errors)
  return config
}

interface Beside {
  readonly error: z.core.$ZodError
  /** Names of dialects of extensions. */
  readonly others: readonly string[]
}

/** What is wrong beside what the schema refuses, as far as the one cannot follow from the other. */
function errorsBeside(given: unknown, { error: { issues }, others }: Beside): readonly unknown[] {
  const refused = new Set(
    issues.flatMap((issue) => ('keys' in issue && issue.path.length === 0 ? issue.keys : [String(issue.path[0])])),
  )
  if (!isJsonObject(given) || ['upstreams', 'policies', 'policy', 'tokens'].some((name) => refused.has(name))) return []
  const rest = configSchema.safeParse(Object.fromEntries(Object.entries(given).filter(([name]) => !refused.has(name))))
  return rest.success ? errorsOf(withPolicies(rest.data), others) : []
}

/** A policy that is written where its name would stand is one of the policies. */
function withPolicies({ policy, policies, ...rest }: z.output<typeof configSchema>): GatewayConfig {
  return typeof policy === 'string'
    ? { ...rest, policy, policies }
    : { ...rest, policy: readPolicy(policy, { at: 'policy' }).id, policies: [...policies, policy] }
}

/** Throws one `invalid-input` where parts of a configuration do not go together. What `written` says of tenants must go with its tokens. */
export function requireConfig(config: GatewayConfig, written: GatewayConfig): void {
  // Dialects of what is written were accepted when it was read.
  const others = Object.values(written.upstreams).flatMap(({ dialect }) => dialect ?? [])
  const errors = errorsOf(config, others, written)
  if (errors.length > 0) throw inOne(errors)
}

function errorsOf(config: GatewayConfig, others: readonly string[], written = config): readonly unknown[] {
  const ofPlaces = [
    ...tokenErrors(written),
    ...upstreamErrors(config),
    ...blobsErrors(config),
    ...routeErrors(config),
    // Which dialects there are is known when the extensions are open.
    ...(config.extensions.length > 0 ? [] : dialectErrors(config, [...dialects.names, ...others])),
    ...toolErrors(config.tools),
    ...embeddingErrors(config),
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
