import type { Policy, Pressure, TenantChanges } from '../../core/index.ts'
import { objectLike, shape, stableJson } from '../../core/index.ts'
import { validatePolicy } from './sound-policy.ts'
import { mergedSections } from './compose-shares.ts'
import { mergedPhases, withUsualPhases } from './context-policy.ts'
import { policyGroups } from './policy-groups.ts'
import { settled } from './settle-settings.ts'
import type { Settings, Settling } from './settle-settings.ts'
import { mergedChanges, settingsShape, tenantChanges } from './tenant-settings.ts'

const tenantsShape = shape.record(objectLike('an object of changes'))

/** A policy that holds for its tenants as their changes say, after what it says of them itself. */
export function withTenants(policy: Policy, tenants: Readonly<Record<string, TenantChanges>>): Policy {
  validatePolicy(policy)
  shape.check(tenantsShape, tenants, 'tenants')
  if (Object.keys(tenants).length === 0) return policy
  const before = policy.overrides?.tenant ?? {}
  const merged = Object.entries(tenants).map(([tenant, changes]) => {
    const own = Object.hasOwn(before, tenant) ? (before[tenant] ?? {}) : {}
    return [tenant, mergedTenant(policy, own, changes)]
  })
  return { ...policy, overrides: { ...policy.overrides, tenant: { ...before, ...Object.fromEntries(merged) } } }
}

function mergedTenant(policy: Policy, before: TenantChanges, changes: TenantChanges): TenantChanges {
  const { pressure, ...both } = mergedChanges(before, changes)
  const agentPhase = mergedPhases(before.agentPhase, changes.agentPhase)
  return withUsualPhases(policy, {
    ...both,
    ...(pressure && { pressure: stepsAround(policy.pressure, pressure) }),
    ...(Object.keys(agentPhase).length > 0 && { agentPhase }),
  })
}

/** The steps of pressure rise: who names only the one from which a conversation is shortened moves the others with it. */
function stepsAround({ prepare, evict, lowest }: Pressure, changes: Partial<Pressure>): Partial<Pressure> {
  const { compress } = changes
  if (compress === undefined) return changes
  return {
    ...(compress < prepare && { prepare: compress }),
    ...(compress > evict && { evict: compress }),
    ...(lowest !== undefined && compress < lowest && { lowest: compress }),
    ...changes,
  }
}

/** What is checked of a policy beside that it does not contradict itself. */
type Check = Pick<Settling, 'check'>

export interface TenantSettings extends Check {
  readonly tenant: string
  readonly settings: Settings
  /** Where they stand, for messages. */
  readonly at: string
}

/** A policy as one tenant has it. Throws `invalid-input` with a line for every setting that is wrong. */
export function policyOfTenant(policy: Policy, { tenant, settings, at, check }: TenantSettings): Policy {
  const apply = (own: Settings): Policy => withTenants(policy, { [tenant]: tenantChanges(own, at) })
  const root = `policy.overrides.tenant.${tenant}`
  return settled({ given: settings, at, root, apply, ...(check && { check }) })
}

/**
 * A policy of which settings say something else, in every situation of which its overrides do not; its version says that they do.
 * Throws `invalid-input` with a line for every setting that is wrong.
 */
export function withSettings(
  policy: Policy,
  given: Settings,
  at: string | (Check & { readonly at: string }) = 'settings',
): Policy {
  const options = typeof at === 'string' ? { at } : at
  validatePolicy(policy)
  shape.check(settingsShape, given, options.at)
  if (Object.keys(given).length === 0) return policy
  return settled({ ...options, given, apply: (settings) => set(policy, settings, options.at) })
}

function set(policy: Policy, given: Settings, at: string): Policy {
  const changes = withUsualPhases(policy, tenantChanges(given, at))
  const {
    agentPhase,
    sections,
    pressure,
    fractions,
    taskClass: _,
    lifecyclePhase: __,
    regime: ___,
    ...others
  } = changes
  const named = { ...others, ...(pressure && { pressure: stepsAround(policy.pressure, pressure) }) }
  const groups = policyGroups
    .filter((group) => (named[group] ?? policy[group]) !== undefined)
    .map((group) => [group, { ...policy[group], ...named[group] }])
  return {
    ...policy,
    ...named,
    ...Object.fromEntries(groups),
    ...(sections && { sections: mergedSections([policy.sections, sections]) }),
    ...(fractions && { fractions }),
    ...(agentPhase && {
      overrides: { ...policy.overrides, agentPhase: mergedPhases(policy.overrides?.agentPhase, agentPhase) },
    }),
    // A class of tasks that had an overflow of its own would else keep it.
    ...(changes.overflow && { overflowFor: {} }),
    version: `${policy.version}${policy.version.includes('+') ? '.' : '+'}set.${checksum(stableJson(given))}`,
  }
}

/** FNV-1a of a text's code units, as eight hexadecimal digits: tells sets of settings apart, and no more. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
