import {
  composePolicy,
  knownPolicy,
  policies,
  readPolicy,
  tenantChanges,
  withSettings,
  withTenants,
} from '../compiler/index.ts'
import type { KnownPolicies } from '../compiler/index.ts'
import type { Policy, Situation } from '../core/index.ts'
import { frozen, invalidInput, stableJson } from '../core/index.ts'

/** What a configuration says of policies. */
export interface WrittenPolicies {
  /** The id of the one that holds where nobody names another. */
  readonly policy: string
  readonly policies: readonly unknown[]
  /** What all of them say otherwise. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly tenants: Readonly<Record<string, TenantPolicy>>
}

interface TenantPolicy {
  readonly policy?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** The policies of a gateway: those that come with the product and the configuration's own, with what its tenants have otherwise. */
export interface GatewayPolicies {
  readonly all: KnownPolicies
  /** Those that the configuration itself has written. */
  readonly own: readonly Policy[]
  /** Throws `invalid-input` that names the field. */
  named(id: string, field: string): Policy
  /** As a request has it, that says figures by name; those go before all others. Throws `invalid-input` that names the figure. */
  saying(said: RequestFigures): Policy
}

export interface RequestFigures {
  readonly policy: Policy
  readonly situation: Situation | undefined
  readonly settings: Readonly<Record<string, unknown>>
  /** Where they stand in the request. */
  readonly at: string
}

/** Reads what a configuration says of policies. Pure. Throws `invalid-input` with the path of what is wrong. */
export function gatewayPolicies({ policy, policies: written, settings, tenants }: WrittenPolicies): GatewayPolicies {
  let known: KnownPolicies = policies
  for (const [index, value] of written.entries()) {
    requireBaseAbove(written, index, known)
    const own = readPolicy(value, { at: `policies[${index}]`, known })
    if (Object.hasOwn(known, own.id))
      throw invalidInput(`policies[${index}].id`, `${own.id} stands twice`, 'Give each policy a name of its own.')
    known = { ...known, [own.id]: own }
  }
  const changes = Object.fromEntries(
    Object.entries(tenants).flatMap(([tenant, { metadata }]) =>
      metadata === undefined ? [] : [[tenant, tenantChanges(metadata, `tenants.${tenant}.metadata`)]],
    ),
  )
  const ids = Object.keys(known)
  const all: KnownPolicies = Object.fromEntries(
    ids.flatMap((id) => {
      const own = known[id]
      return own === undefined ? [] : [[id, frozen(withTenants(withSettings(own, settings), changes))]]
    }),
  )
  knownPolicy(policy, 'policy', all)
  for (const [tenant, { policy: id }] of Object.entries(tenants))
    if (id !== undefined) knownPolicy(id, `tenants.${tenant}.policy`, all)
  return {
    all,
    own: Object.values(known).filter(({ id }) => !Object.hasOwn(policies, id)),
    named: (id, field) => knownPolicy(id, field, all),
    saying: requestPolicies(),
  }
}

/** A policy extends one that comes with the product or stands above it, so that none can extend itself, by whatever way. */
function requireBaseAbove(written: readonly unknown[], index: number, known: KnownPolicies): void {
  const base = memberOf(written[index], 'extends')
  if (typeof base !== 'string' || Object.hasOwn(known, base)) return
  const place = written.findIndex((other) => memberOf(other, 'id') === base)
  if (place < index) return
  const what = place === index ? 'is the policy itself' : `stands below, at policies[${place}]`
  throw invalidInput(
    `policies[${index}].extends`,
    `${base} ${what}`,
    'Extend one that stands above, or comes with the product.',
  )
}

function memberOf(value: unknown, name: 'id' | 'extends'): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** Policies that requests have asked for of late. */
const mostRequested = 64

/** The same figures in the same situation make the same policy, so that nothing is read or written twice. */
function requestPolicies(): GatewayPolicies['saying'] {
  const known = new WeakMap<Policy, Map<string, Policy>>()
  return ({ policy, situation = {}, settings, at }) => {
    const ofPolicy = known.get(policy) ?? new Map<string, Policy>()
    known.set(policy, ofPolicy)
    const key = stableJson([situation, settings])
    const before = ofPolicy.get(key)
    if (before !== undefined) return before
    const { policy: inForce } = composePolicy(policy, situation)
    const phases = situation.agentPhase === undefined ? policy.overrides?.agentPhase : undefined
    const base = phases === undefined ? inForce : { ...inForce, overrides: { agentPhase: phases } }
    const asked = frozen(withSettings(base, settings, at))
    if (ofPolicy.size >= mostRequested) ofPolicy.clear()
    ofPolicy.set(key, asked)
    return asked
  }
}
