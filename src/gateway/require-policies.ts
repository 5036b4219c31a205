import { defaultPolicy } from '../compiler/index.ts'
import { stableJson } from '../core/index.ts'
import type { GatewayConfig } from './config-schema.ts'
import { requireWindow } from './packable.ts'
import type { GatewayPolicies } from './policies.ts'

type Check = () => void

/** Checks that requests can be packed by the policies that they get unless they name another. Each throws `invalid-input` that names the field. */
export function policyChecks(config: GatewayConfig, policies: GatewayPolicies): readonly Check[] {
  const ofAll = { id: config.policy, field: 'policy' }
  const seen = new Set<string>()
  const ofTenants = Object.entries(config.tenants).flatMap(([tenant, own]): readonly Check[] => {
    const asked = own.policy === undefined ? ofAll : { id: own.policy, field: `tenants.${tenant}.policy` }
    // Many tenants may have the same settings, and most have none.
    const key = stableJson([asked.id, own.metadata ?? null])
    if (seen.has(key) && !policies.names(asked.id, tenant)) return []
    seen.add(key)
    return [() => policies.requirePackable({ ...asked, tenant })]
  })
  return [() => policies.requirePackable(ofAll), ...ofTenants]
}

/** Checks that the windows of configured models have room for a request. Each throws `invalid-input` that names the model. */
export function windowChecks(config: GatewayConfig): readonly Check[] {
  const ofTenants = Object.entries(config.tenants).flatMap(([tenant, { models = {} }]) =>
    Object.keys(models).map((model) => ({ models, model, field: `tenants.${tenant}.models.${model}` })),
  )
  const { models } = config
  const ofAll = Object.keys(models).map((model) => ({ models, model, field: `models.${model}` }))
  return [...ofAll, ...ofTenants].map((asked) => () => requireWindow(defaultPolicy, asked))
}
