import {
  composePolicy,
  knownPolicy,
  policies,
  policyOfTenant,
  readPolicy,
  tenantChanges,
  withSettings,
  withTenants,
} from '../compiler/index.ts'
import type { KnownPolicies } from '../compiler/index.ts'
import type { Policy, PolicyOverrides, Situation, TenantChanges } from '../core/index.ts'
import { PrehendError, frozen, invalidInput, isPrehendError, stableJson } from '../core/index.ts'
import { requirePackable } from './packable.ts'

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

/** The policies of a gateway: those that come with the product and the configuration's own, as each tenant has them. */
export interface GatewayPolicies {
  /** Those that the configuration itself has written. */
  readonly own: readonly Policy[]
  /** All of them as a tenant has them: with its changes, and without those of any other. */
  of(tenant: string): KnownPolicies
  /** One of those. Throws `invalid-input` that names the field, or the settings of the tenant that the policy cannot have. */
  named(asked: NamedPolicy): Policy
  /** Whether a policy has changes for a tenant itself. */
  names(id: string, tenant: string): boolean
  /** Throws `invalid-input` with a line for everything for which no request could be packed by a policy, as all or a tenant have it. */
  requirePackable(asked: Pick<NamedPolicy, 'id' | 'field'> & { readonly tenant?: string }): void
  /** As a request has it, that says figures by name; those go before all others. Throws `invalid-input` that names the figure. */
  saying(said: RequestFigures): Policy
}

export interface NamedPolicy {
  readonly id: string
  /** Where the name stands. */
  readonly field: string
  readonly tenant: string
}

export interface RequestFigures {
  readonly policy: Policy
  readonly situation: Situation | undefined
  readonly settings: Readonly<Record<string, unknown>>
  /** Where they stand in the request. */
  readonly at: string
}

/** Reads what a configuration says of policies. Pure. Throws `invalid-input` with the path of what is wrong. */
export function gatewayPolicies(written: WrittenPolicies): GatewayPolicies {
  const known = writtenPolicies(written)
  const usual = knownPolicy(written.policy, 'policy', known)
  const ofSettings = { at: 'settings', check: (own: Policy) => requirePackable(own, { hasTool: true }) }
  withSettings(usual, written.settings, ofSettings)
  const ofAll = mapped(known, (own) => frozen(withSettings(own, written.settings)))
  for (const [tenant, { policy: id }] of Object.entries(written.tenants))
    if (id !== undefined) knownPolicy(id, `tenants.${tenant}.policy`, ofAll)
  const { of, named } = policiesByTenant(ofAll, written)
  return {
    own: Object.values(known).filter(({ id }) => !Object.hasOwn(policies, id)),
    of,
    named,
    names: (id, tenant) => isNamed(knownPolicy(id, 'policy', ofAll), tenant),
    saying: requestPolicies(),
    requirePackable({ id, field, tenant }) {
      withSettings(withoutOthers(knownPolicy(id, field, known)), written.settings, ofSettings)
      const policy = named({ id, field, tenant: tenant ?? '' })
      if (tenant === undefined || written.tenants[tenant]?.metadata === undefined)
        asField(field, () => requirePackable(policy, { tenant }))
    },
  }
}

/** What is wrong with the policy that a field names, as what is wrong with the field. */
function asField(field: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!isPrehendError(error) || error.code !== 'invalid-input') throw error
    const { data, message } = error as PrehendError<'invalid-input'>
    throw new PrehendError('invalid-input', field + message.slice(data.field.length), { ...data, field })
  }
}

function policiesByTenant(ofAll: KnownPolicies, { tenants }: WrittenPolicies): Pick<GatewayPolicies, 'of' | 'named'> {
  const made = new Map<string, KnownPolicies>()
  const sound = new Map<string, Policy>()
  const nobodys = mapped(ofAll, (policy) => withoutOthers(policy))
  const metadataOf = (tenant: string): TenantPolicy['metadata'] =>
    Object.hasOwn(tenants, tenant) ? tenants[tenant]?.metadata : undefined
  const of = (tenant: string): KnownPolicies => {
    const before = made.get(tenant)
    if (before !== undefined) return before
    const metadata = metadataOf(tenant)
    if (metadata === undefined && !Object.values(ofAll).some((policy) => isNamed(policy, tenant))) return nobodys
    const changes = metadata && tenantChanges(metadata, `tenants.${tenant}.metadata`)
    const own = mapped(ofAll, (policy) => {
      const alone = withoutOthers(policy, tenant)
      return changes ? frozen(withTenants(alone, { [tenant]: changes })) : alone
    })
    made.set(tenant, own)
    return own
  }
  return {
    of,
    named({ id, field, tenant }) {
      const settings = metadataOf(tenant)
      if (settings === undefined) return knownPolicy(id, field, of(tenant))
      const key = JSON.stringify([id, tenant])
      const before = sound.get(key)
      if (before !== undefined) return before
      const base = withoutOthers(knownPolicy(id, field, ofAll), tenant)
      const at = `tenants.${tenant}.metadata`
      const check = (own: Policy): void => {
        if (takesRoom(own.overrides?.tenant?.[tenant] ?? {})) requirePackable(own, { tenant, hasTool: true })
      }
      const policy = frozen(policyOfTenant(base, { tenant, settings, at, check }))
      sound.set(key, policy)
      return policy
    },
  }
}

/** Whether changes can leave a request less room than it needs; others cannot make its compile fail. */
function takesRoom({ sections, contextTokens, reserveShare, fractions, agentPhase }: TenantChanges): boolean {
  return [sections, contextTokens, reserveShare, fractions, agentPhase].some((change) => change !== undefined)
}

function isNamed({ overrides }: Policy, tenant: string): boolean {
  return Object.hasOwn(overrides?.tenant ?? {}, tenant)
}

function mapped(known: KnownPolicies, change: (policy: Policy) => Policy): KnownPolicies {
  return Object.fromEntries(Object.entries(known).map(([id, policy]) => [id, change(policy)]))
}

/** Those that come with the product, and those that the configuration has written. */
function writtenPolicies({ policies: written }: WrittenPolicies): KnownPolicies {
  let known: KnownPolicies = policies
  for (const [index, value] of written.entries()) {
    requireBaseAbove(written, index, known)
    const own = readPolicy(value, { at: `policies[${index}]`, known })
    if (Object.hasOwn(known, own.id))
      throw invalidInput(`policies[${index}].id`, `${own.id} stands twice`, 'Give each policy a name of its own.')
    known = { ...known, [own.id]: own }
  }
  return known
}

/** A policy with what it has for one tenant, or for none: what others have is nobody else's to see. */
function withoutOthers(policy: Policy, tenant?: string): Policy {
  const { tenant: all, ...overrides }: PolicyOverrides = policy.overrides ?? {}
  if (all === undefined) return policy
  const own = tenant !== undefined && Object.hasOwn(all, tenant) ? all[tenant] : undefined
  const { overrides: _, ...rest } = policy
  if (own !== undefined) return frozen({ ...rest, overrides: { ...overrides, tenant: { [tenant ?? '']: own } } })
  return frozen(Object.keys(overrides).length === 0 ? rest : { ...rest, overrides })
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
    const base = { ...inForce, ...stillToFind(policy, situation) }
    const { tenant } = situation
    const check = (own: Policy, tried: TenantPolicy['metadata'] = {}): void => {
      if (takesRoom(tenantChanges(tried, at))) requirePackable(own, { tenant, hasTool: true })
    }
    const asked = frozen(withSettings(base, settings, { at, check }))
    if (ofPolicy.size >= mostRequested) ofPolicy.clear()
    ofPolicy.set(key, asked)
    return asked
  }
}

/** Phases of the agent, where nobody names one: it is found from each conversation. */
function stillToFind({ overrides = {} }: Policy, { agentPhase: named, tenant }: Situation): Pick<Policy, 'overrides'> {
  if (named !== undefined) return {}
  const { agentPhase, tenant: tenants = {} } = overrides
  const own = tenant !== undefined && Object.hasOwn(tenants, tenant) ? tenants[tenant]?.agentPhase : undefined
  if (agentPhase === undefined && own === undefined) return {}
  return {
    overrides: {
      ...(agentPhase && { agentPhase }),
      ...(own && tenant !== undefined && { tenant: { [tenant]: { agentPhase: own } } }),
    },
  }
}
