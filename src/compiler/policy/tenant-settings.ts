import type { AgentPhase, Policy, PolicyChanges, TenantChanges } from '../../core/index.ts'
import { invalidInput, policyShape, shape, didYouMean, unify, vocabularies } from '../../core/index.ts'
import { policyGroups } from './policy-groups.ts'

const scalars = ['overflow', 'relief', 'provenance', 'reserveShare', 'costSensitivity'] as const

/** Where in a policy a setting stands. */
interface Place {
  readonly group?: (typeof policyGroups)[number]
  readonly name: string
  readonly shape: shape.Shape<unknown>
}

function shapeOf(member: shape.Shape<unknown> | shape.Optional<unknown>): shape.Shape<unknown> {
  return 'optional' in member ? member.optional : member
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const { members } = policyShape

/** Every figure of a policy by its path in lower case: `pressure_compress`, `epochs_keep_full`, `overflow`. */
const byPath: readonly (readonly [string, Place])[] = [
  ...scalars.map((name): readonly [string, Place] => [snake(name), { name, shape: shapeOf(members[name]) }]),
  ...policyGroups.flatMap((group) => {
    const { members: own } = members[group] as unknown as shape.ObjectShape<Readonly<Record<string, unknown>>>
    return Object.entries(own).map(([name, member]): readonly [string, Place] => [
      `${group}_${snake(name)}`,
      { group, name, shape: shapeOf(member) },
    ])
  }),
]

/** Names of variables of other products, less their prefix, and the setting that they are. */
const aliases: Readonly<Record<string, string>> = {
  compression_threshold: 'pressure_compress',
  observation_mask_window: 'epochs_keep_full',
}

const places: ReadonlyMap<string, Place> = new Map([
  ...byPath,
  ...Object.entries(aliases).flatMap(([alias, name]) =>
    byPath.filter(([path]) => path === name).map(([, place]) => [alias, place] as const),
  ),
])

/** The names of all settings that a tenant may have otherwise. */
export const tenantSettingNames: readonly string[] = [...places.keys(), 'context_policy']

/**
 * What a tenant's metadata changes: settings by their names without prefix in lower case, as values or as texts, and under
 * `context_policy` the percentages of phases. Throws `invalid-input` that names the setting.
 */
export function tenantChanges(metadata: Readonly<Record<string, unknown>>, at = 'metadata'): TenantChanges {
  const changes: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(metadata)) {
    const field = `${at}.${name}`
    if (name === 'context_policy') {
      changes['agentPhase'] = phaseOverrides(given, field)
      continue
    }
    const place = places.get(name)
    if (place === undefined) throw unknownSetting(name, field)
    const value = readValue(given, place.shape)
    shape.check(place.shape, value, field)
    if (place.group === undefined) changes[place.name] = value
    else changes[place.group] = { ...(changes[place.group] as object | undefined), [place.name]: value }
  }
  return changes
}

function unknownSetting(name: string, field: string): Error {
  const hint = didYouMean(name, tenantSettingNames)
  return invalidInput(field, 'is not a setting', `${hint}There are ${tenantSettingNames.join(', ')}.`)
}

/** A number may come as a text, as metadata and variables do. */
function readValue(given: unknown, wanted: shape.Shape<unknown>): unknown {
  const isNumber = wanted.schema['type'] === 'number' || wanted.schema['type'] === 'integer'
  return isNumber && typeof given === 'string' && given.trim() !== '' ? Number(given) : given
}

const phaseNames: Readonly<Record<string, AgentPhase>> = { plan: 'planning', execute: 'executing', review: 'reviewing' }

/** An agent phase by its usual name. */
export function agentPhaseNamed(name: string): string {
  return Object.hasOwn(phaseNames, name) ? (phaseNames[name] ?? name) : name
}

const percent = shape.between(0, 100)

const contextPolicyShape = shape.object<{
  readonly phase_overrides: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly zero_means_default?: boolean
}>({
  phase_overrides: shape.record(shape.record(percent)),
  zero_means_default: shape.optional(shape.flag),
})

/** Per cent by phase and section, in words of their own (`semantic`, `working`, `reserved`); there, zero means the default. */
function phaseOverrides(given: unknown, at: string): Readonly<Record<string, PolicyChanges>> {
  shape.check(contextPolicyShape, given, at, { strict: true })
  const { phase_overrides: phases, zero_means_default: isDefault = true } = given as {
    readonly phase_overrides: Readonly<Record<string, Readonly<Record<string, number>>>>
    readonly zero_means_default?: boolean
  }
  return Object.fromEntries(
    Object.entries(phases).map(([phase, percentages]) => {
      const fractions: Record<string, number> = {}
      for (const [word, share] of Object.entries(percentages)) {
        const section = sectionOf(word, `${at}.phase_overrides.${phase}.${word}`)
        if (share === 0 && isDefault) continue
        fractions[section] = (fractions[section] ?? 0) + share / 100
      }
      return [agentPhaseNamed(phase), { fractions }]
    }),
  )
}

function sectionOf(word: string, field: string): string {
  const terms = vocabularies['agent-pipeline']
  if (Object.hasOwn(terms, word)) return unify('agent-pipeline', word as keyof typeof terms).section
  const hint = didYouMean(word, Object.keys(terms))
  throw invalidInput(field, 'is not a section', `${hint}There are ${Object.keys(terms).join(', ')}.`)
}

/** A policy that holds for its tenants as their changes say, after what it says of them itself. */
export function withTenants(policy: Policy, tenants: Readonly<Record<string, TenantChanges>>): Policy {
  if (Object.keys(tenants).length === 0) return policy
  const before = policy.overrides?.tenant ?? {}
  const merged = Object.entries(tenants).map(([tenant, changes]) => [
    tenant,
    { ...(Object.hasOwn(before, tenant) ? before[tenant] : undefined), ...changes },
  ])
  return { ...policy, overrides: { ...policy.overrides, tenant: { ...before, ...Object.fromEntries(merged) } } }
}
