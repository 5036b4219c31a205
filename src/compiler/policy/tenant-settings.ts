import type { JsonObject, PolicyChanges, TenantChanges } from '../../core/index.ts'
import { didYouMean, inOne, invalidInput, objectLike, policyShape, shape } from '../../core/index.ts'
import { conversationSettings, switchFirst } from './conversation-settings.ts'
import { mergedSections } from './compose-shares.ts'
import { contextPolicyShape, phaseOverrides } from './context-policy.ts'
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
).map(([section, name]): readonly [string, Setting] => [
  `${section}_${snake(name)}`,
  // A conversation with tools is never sent where none may stand.
  {
    shape: name === 'maxItems' ? shape.countFrom(1) : shape.count,
    changes: (value) => ({ sections: [{ section, [name]: value as number }] }),
  },
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

const contextPolicy = 'context_policy'

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

export const settingsShape = objectLike('an object with a member per setting')

/** The names of all settings of a policy, in lower case. */
export const policySettingNames: readonly string[] = [...settings.keys(), contextPolicy]

/** What a setting by that name may be, as a JSON schema; undefined where there is none by that name. */
export function settingSchema(name: string): JsonObject | undefined {
  return name === contextPolicy ? contextPolicyShape.schema : settings.get(name)?.shape.schema
}

/** The path of a setting in lower case: of one that goes by the name of another product, the path that it stands for. */
export function settingPath(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name
}

/**
 * What settings change in a policy: by their names without prefix in lower case, as values or as texts, and under `context_policy` the
 * percentages of phases. Throws `invalid-input` with a line for every setting that is wrong.
 */
export function tenantChanges(given: Readonly<Record<string, unknown>>, at = 'metadata'): TenantChanges {
  shape.check(settingsShape, given, at)
  let changes: TenantChanges = {}
  const errors: unknown[] = []
  for (const [name, said] of switchFirst(given)) {
    try {
      changes = mergedChanges(changes, changesOf(name, said, `${at}.${name}`))
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw inOne(errors)
  return changes
}

function changesOf(name: string, said: unknown, field: string): TenantChanges {
  if (name === contextPolicy) return { agentPhase: phaseOverrides(readValue(said, contextPolicyShape), field) }
  const setting = settings.get(name)
  if (setting === undefined) throw unknownSetting(name, field)
  const value = readValue(said, setting.shape)
  shape.check(setting.shape, value, field)
  return setting.changes(value)
}

/** The later ones win; groups of figures and sections change member by member. */
export function mergedChanges(before: TenantChanges, more: TenantChanges): TenantChanges {
  const groups = policyGroups.flatMap((group) =>
    more[group] === undefined ? [] : [[group, { ...before[group], ...more[group] }] as const],
  )
  const sections = more.sections && mergedSections([before.sections, more.sections])
  return { ...before, ...more, ...Object.fromEntries(groups), ...(sections && { sections }) }
}

function unknownSetting(name: string, field: string): Error {
  const hint = didYouMean(name, policySettingNames)
  const remedy = `${hint}Settings go by the paths that \`prehend policy explain\` lists, such as tools_selection for tools.selection.`
  return invalidInput(field, 'is not a setting', remedy)
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
