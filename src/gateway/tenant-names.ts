import { isJsonObject } from '../core/index.ts'
import { tenantLimits, tenantPromptCache, tenantTimeouts } from './limits.ts'

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
  ['tokenizer_mode', ['tokenizer']],
  ...['tokenizer', 'record', 'repairs', 'mode', 'policy', 'rehydrate'].map((name): [string, Place] => [name, [name]]),
])

/** A configuration in which settings that tenants have by name stand where they belong; what is no configuration stays as it is. */
export function withTenantNames(value: unknown): unknown {
  if (!isJsonObject(value) || !isJsonObject(value['tenants'])) return value
  const tenants = Object.entries(value['tenants']).map(([name, tenant]) => [name, placed(tenant)])
  return { ...value, tenants: Object.fromEntries(tenants) }
}

function placed(tenant: unknown): unknown {
  if (!isJsonObject(tenant) || !isJsonObject(tenant['metadata'])) return tenant
  const entries = Object.entries(tenant['metadata'])
  if (!entries.some(([name]) => places.has(name))) return tenant
  const own: Record<string, unknown> = { ...tenant }
  own['metadata'] = Object.fromEntries(entries.filter(([name]) => !places.has(name)))
  for (const [name, said] of entries) {
    const [first, member] = places.get(name) ?? []
    if (first === undefined) continue
    if (member === undefined) own[first] ??= plain(said)
    else own[first] = withMember(own[first], member, plain(said))
  }
  return own
}

/** What stands in its own place already goes before its name. */
function withMember(group: unknown, member: string, value: unknown): unknown {
  if (group !== undefined && !isJsonObject(group)) return group
  return { [member]: value, ...group }
}

/** Metadata are texts; what is a number or a switch is read as one. */
function plain(said: unknown): unknown {
  if (typeof said !== 'string' || !/^(?:true|false|\d{1,15}(?:\.\d{1,15})?)$/.test(said)) return said
  return JSON.parse(said)
}
