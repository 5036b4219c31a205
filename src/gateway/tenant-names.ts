import { z } from 'zod'
import { isJsonObject } from '../core/index.ts'
import { tenantLimits, tenantPromptCache, tenantRetention, tenantTimeouts } from './limits.ts'

/** The tenant of everyone where no tokens are asked for. */
export const defaultTenant = 'default'

/** A tenant's name: it stands in paths, headers of the log and lists. */
export const tenantName = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^(?!\.{1,2}$)[^\s\p{C}/\\](?:[^\p{C}/\\]*[^\s\p{C}/\\])?$/u,
    'is no name of a tenant: leave out slashes, control characters and spaces at its ends',
  )

/** Where a setting of a tenant stands, as a group and a member or as a member alone. */
type Place = readonly [group: string, member: string] | readonly [member: string]

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function namesIn(group: string, shape: object): readonly (readonly [string, Place])[] {
  return Object.keys(shape).map((member) => [`${snake(group)}_${snake(member)}`, [group, member]])
}

/** What a tenant's metadata may name beside figures of its policy: its variable without a prefix in lower case, or its path. */
const places: ReadonlyMap<string, Place> = new Map([
  ...namesIn('limits', tenantLimits.shape),
  ...namesIn('timeouts', tenantTimeouts.shape),
  ...namesIn('promptCache', tenantPromptCache.shape),
  ['cache_keepalive', ['promptCache', 'keepalive']],
  ...namesIn('retention', tenantRetention.shape),
  ['tokenizer_mode', ['tokenizer']],
  ['summaries_model', ['summaries', 'model']],
  ['summaries_handoff_model', ['summaries', 'handoffModel']],
  ...[
    'tokenizer',
    'record',
    'repairs',
    'mode',
    'policy',
    'rehydrate',
    'constraints',
    'checklist',
    'pinned',
    'allowedRoutes',
    'allowedModels',
    'allowedUpstreams',
    'wholeAccount',
    'models',
    'largestWindow',
    'aliases',
    'modelRoutes',
    'fallbacks',
    'upstreams',
    'compaction',
    'budgets',
    'teams',
  ].map((name): [string, Place] => [snake(name), [name]]),
])

/** Names of which the value means something else than that of their place. */
const converted: Readonly<Record<string, (said: unknown) => readonly [Place, unknown]>> = {
  keepalive_interval: (said) => [
    ['promptCache', 'keepaliveMs'],
    typeof said === 'number' ? Math.round(1000 * said) : said,
  ],
  no_rehydrate: (said) => [['rehydrate'], typeof said === 'boolean' ? !said : said],
}

/** Names of what a tenant may have otherwise, beside figures of its policy. */
export const tenantNames: readonly string[] = [...places.keys(), ...Object.keys(converted)]

/** A configuration in which settings that tenants have by name stand where they belong; what is no configuration stays as it is. */
export function withTenantNames(value: unknown): unknown {
  if (!isJsonObject(value) || !isJsonObject(value['tenants'])) return value
  const tenants = Object.entries(value['tenants']).map(([name, tenant]) => [name, placed(tenant)])
  return { ...value, tenants: Object.fromEntries(tenants) }
}

function placed(tenant: unknown): unknown {
  if (!isJsonObject(tenant) || !isJsonObject(tenant['metadata'])) return tenant
  const entries = Object.entries(tenant['metadata'])
  if (!entries.some(([name]) => isPlaced(name))) return tenant
  const own: Record<string, unknown> = { ...tenant }
  own['metadata'] = Object.fromEntries(entries.filter(([name]) => !isPlaced(name)))
  for (const [name, said] of entries) {
    const [place, value] = placeOf(name, plain(said))
    const [first, member] = place ?? []
    if (first === undefined) continue
    if (member === undefined) own[first] ??= value
    else own[first] = withMember(own[first], member, value)
  }
  return own
}

function isPlaced(name: string): boolean {
  return places.has(name) || Object.hasOwn(converted, name)
}

function placeOf(name: string, value: unknown): readonly [Place | undefined, unknown] {
  return Object.hasOwn(converted, name) ? (converted[name]?.(value) ?? [undefined, value]) : [places.get(name), value]
}

/** What stands in its own place already goes before its name. */
function withMember(group: unknown, member: string, value: unknown): unknown {
  if (group !== undefined && !isJsonObject(group)) return group
  return { [member]: value, ...group }
}

/** Metadata are texts; what is a number, a switch, a list or an object is read as one. */
function plain(said: unknown): unknown {
  if (typeof said !== 'string' || !/^(?:true$|false$|\d{1,15}(?:\.\d{1,15})?$|[[{])/.test(said)) return said
  try {
    return JSON.parse(said)
  } catch {
    return said
  }
}
