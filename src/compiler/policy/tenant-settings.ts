import type { Policy, PolicyChanges, TenantChanges } from '../../core/index.ts'
import {
  PrehendError,
  didYouMean,
  invalidInput,
  isPrehendError,
  objectLike,
  policyShape,
  shape,
  stableJson,
  unify,
  vocabularies,
} from '../../core/index.ts'
import { validatePolicy } from '../input/validate-input.ts'
import { conversationSettings, switchFirst } from './conversation-settings.ts'
import { agentPhaseNamed } from './agent-phase-name.ts'
import { mergedSections } from './compose-shares.ts'
import { policyGroups, policyScalars } from './policy-groups.ts'

/** A setting by name: what it may be, and what it changes. */
interface Setting {
  readonly shape: shape.Shape<unknown>
  changes(value: unknown): PolicyChanges
}

function shapeOf(member: shape.Shape<unknown> | shape.Optional<unknown>): shape.Shape<unknown> {
  return 'optional' in member ? member.optional : member
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const { members } = policyShape

/** Every figure of a policy by its path in lower case: `pressure_compress`, `epochs_keep_full`, `overflow`. */
const byPath: readonly (readonly [string, Setting])[] = [
  ...policyScalars.map((name): readonly [string, Setting] => [
    snake(name),
    { shape: shapeOf(members[name]), changes: (value) => ({ [name]: value }) },
  ]),
  ...policyGroups.flatMap((group) => {
    const { members: own } = shapeOf(members[group]) as shape.ObjectShape<Readonly<Record<string, unknown>>>
    return Object.entries(own).map(([name, member]): readonly [string, Setting] => [
      `${group}_${snake(name)}`,
      { shape: shapeOf(member), changes: (value) => ({ [group]: { [name]: value } }) },
    ])
  }),
]

/** Figures of single sections that other products have settings for. */
const bySection: readonly (readonly [string, Setting])[] = (
  [
    ['tools', 'max'],
    ['tools', 'maxItems'],
    ['tools', 'maxCandidates'],
    ['history', 'recentTurns'],
    ['history', 'olderTokens'],
  ] as const
).map(([section, name]) => [
  `${section}_${snake(name)}`,
  { shape: shape.count, changes: (value) => ({ sections: [{ section, [name]: value as number }] }) },
])

/** Names of variables of other products, less their prefix, and the setting that they are. */
const aliases: Readonly<Record<string, string>> = {
  compression_threshold: 'pressure_compress',
  observation_mask_window: 'epochs_keep_full',
  context_budget: 'context_tokens',
  recent_turns: 'history_recent_turns',
  summary_budget: 'history_older_tokens',
  rolling_summary_bullets: 'summaries_bullets',
  max_tools: 'tools_max_items',
  max_tool_tokens: 'tools_max',
  tool_search_limit: 'tools_max_candidates',
  prompt_cache_enabled: 'prompt_cache',
  tool_schema_compression: 'tool_schemas',
  context_waste_tracking: 'track_waste',
  target_compression_ratio: 'compression_keep_ratio',
}

/** A switch of other products: without it nothing is hidden. */
const observationMask: Setting = {
  shape: shape.flag,
  changes: (isOn) => (isOn === true ? {} : { epochs: { lowestRung: 'lossless' } }),
}

const byName: ReadonlyMap<string, Setting> = new Map([...byPath, ...bySection])

const settings: ReadonlyMap<string, Setting> = new Map([
  ...byName,
  ...Object.entries(aliases).flatMap(([alias, name]) => {
    const setting = byName.get(name)
    return setting === undefined ? [] : [[alias, setting] as const]
  }),
  ['observation_mask_enabled', observationMask],
  ...conversationSettings,
])

const settingsShape = objectLike('an object with a member per setting')
const tenantsShape = shape.record(objectLike('an object of changes'))

/** The names of all settings of a policy, in lower case. */
export const policySettingNames: readonly string[] = [...settings.keys(), 'context_policy']

/**
 * What settings change in a policy: by their names without prefix in lower case, as values or as texts, and under `context_policy` the
 * percentages of phases. Throws `invalid-input` that names the setting.
 */
export function tenantChanges(given: Readonly<Record<string, unknown>>, at = 'metadata'): TenantChanges {
  shape.check(settingsShape, given, at)
  let changes: TenantChanges = {}
  for (const [name, said] of switchFirst(given)) {
    const field = `${at}.${name}`
    if (name === 'context_policy') {
      changes = { ...changes, agentPhase: phaseOverrides(readValue(said, contextPolicyShape), field) }
      continue
    }
    const setting = settings.get(name)
    if (setting === undefined) throw unknownSetting(name, field)
    const value = readValue(said, setting.shape)
    shape.check(setting.shape, value, field)
    changes = changedBy(changes, setting.changes(value))
  }
  return changes
}

/** Groups of figures and sections change member by member. */
function changedBy(before: TenantChanges, more: PolicyChanges): TenantChanges {
  const groups = policyGroups.flatMap((group) =>
    more[group] === undefined ? [] : [[group, { ...before[group], ...more[group] }] as const],
  )
  const sections = more.sections && mergedSections([before.sections, more.sections])
  return { ...before, ...more, ...Object.fromEntries(groups), ...(sections && { sections }) }
}

function unknownSetting(name: string, field: string): Error {
  const hint = didYouMean(name, policySettingNames)
  return invalidInput(field, 'is not a setting', `${hint}There are ${policySettingNames.join(', ')}.`)
}

/** Texts, as metadata and variables are, say what is no text as JSON does. */
function readValue(given: unknown, { schema }: shape.Shape<unknown>): unknown {
  if (typeof given !== 'string' || given.trim() === '' || schema['type'] === 'string' || 'enum' in schema) return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
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
  validatePolicy(policy)
  shape.check(tenantsShape, tenants, 'tenants')
  if (Object.keys(tenants).length === 0) return policy
  const before = policy.overrides?.tenant ?? {}
  const merged = Object.entries(tenants).map(([tenant, changes]) => [
    tenant,
    { ...(Object.hasOwn(before, tenant) ? before[tenant] : undefined), ...changes },
  ])
  return { ...policy, overrides: { ...policy.overrides, tenant: { ...before, ...Object.fromEntries(merged) } } }
}

/**
 * A policy of which settings say something else, in every situation of which its overrides do not; its version says that they do.
 * Throws `invalid-input` that names the setting.
 */
export function withSettings(policy: Policy, given: Readonly<Record<string, unknown>>, at = 'settings'): Policy {
  validatePolicy(policy)
  shape.check(settingsShape, given, at)
  if (Object.keys(given).length === 0) return policy
  const { agentPhase, sections, taskClass: _, lifecyclePhase: __, regime: ___, ...changes } = tenantChanges(given, at)
  const groups = policyGroups
    .filter((group) => (changes[group] ?? policy[group]) !== undefined)
    .map((group) => [group, { ...policy[group], ...changes[group] }])
  const overrides = agentPhase && {
    ...policy.overrides,
    agentPhase: { ...policy.overrides?.agentPhase, ...agentPhase },
  }
  const set: Policy = {
    ...policy,
    ...changes,
    ...Object.fromEntries(groups),
    ...(sections && { sections: mergedSections([policy.sections, sections]) }),
    ...(overrides && { overrides }),
    // A class of tasks that had an overflow of its own would else keep it.
    ...(changes.overflow && { overflowFor: {} }),
    version: `${policy.version}${policy.version.includes('+') ? '.' : '+'}set.${checksum(stableJson(given))}`,
  }
  try {
    validatePolicy(set)
  } catch (error) {
    throw saidAs(error, at)
  }
  return set
}

/** What is wrong with a policy since it has settings, by the name of the setting, or where that is not one alone, where they stand. */
function saidAs(error: unknown, at: string): unknown {
  if (!isPrehendError(error) || error.code !== 'invalid-input' || !('field' in error.data)) return error
  const { field, remedy } = error.data
  if (!field.startsWith('policy.') || !error.message.startsWith(`${field}: `)) return error
  const path = field.slice('policy.'.length)
  const name = path.split('.').map(snake).join('_')
  const why = error.message.slice(`${field}: `.length)
  return settings.has(name)
    ? new PrehendError('invalid-input', `${at}.${name}: ${why}`, { field: `${at}.${name}`, remedy })
    : new PrehendError('invalid-input', `${at}: ${path} ${why}`, { field: at, remedy })
}

/** FNV-1a of a text's code units, as eight hexadecimal digits: tells sets of settings apart, and no more. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
