import { PrehendError, inOne, invalidInput, isJsonObject } from '../../core/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { tenantSettings } from '../config-schema.ts'
import type { GatewayConfig } from '../config-schema.ts'
import { mergedGroups } from '../tenant-settings.ts'
import { withTenantNames } from '../tenant-names.ts'
import { zodRefusals } from '../zod-refusal.ts'

export type OwnSettings = GatewayConfig['tenants'][string]

/** Settings of a tenant, as they are stored. */
export type StoredSettings = { readonly [name: string]: JsonValue }

/** Reads the settings of a tenant, as strictly as a configuration. Throws one `invalid-input` for everything that is wrong. */
export function readTenantSettings(value: unknown, at?: string): OwnSettings {
  const [placed] = Object.values((withTenantNames({ tenants: { one: value } }) as { tenants: object }).tenants)
  const read = tenantSettings.safeParse(placed)
  if (!read.success)
    throw inOne(
      zodRefusals({
        schema: tenantSettings,
        value: placed,
        error: read.error,
        whole: 'settings',
        ...(at !== undefined && { at }),
      }),
    )
  const withKey = Object.entries(read.data.upstreams ?? {}).find(([, { apiKey }]) => apiKey !== undefined)
  if (withKey === undefined) return read.data
  const field = `${at === undefined ? '' : `${at}.`}upstreams.${withKey[0]}.apiKey`
  throw invalidInput(field, 'is a secret, which settings do not hold', 'Set it with prehend provider-keys set.')
}

/** What is said of parts one by one, so that the others stay as they are. */
const groups: ReadonlySet<string> = new Set<keyof OwnSettings>([...mergedGroups, 'retention', 'metadata', 'teams'])

/** What a tenant has, where some of it stands in the configuration and some in the store, which goes first. */
export function mergedSettings(ofConfig: OwnSettings = {}, ofStore: OwnSettings = {}): OwnSettings {
  const entries = Object.entries(ofStore).map(([name, said]) => {
    const before: unknown = ofConfig[name as keyof OwnSettings]
    if (name === 'upstreams') return [name, mergedUpstreams(ofConfig.upstreams, ofStore.upstreams)]
    return [name, groups.has(name) && isJsonObject(before) && isJsonObject(said) ? { ...before, ...said } : said]
  })
  return { ...ofConfig, ...(Object.fromEntries(entries) as OwnSettings) }
}

type OwnUpstreams = NonNullable<OwnSettings['upstreams']>

export function mergedUpstreams(before: OwnUpstreams = {}, after: OwnUpstreams = {}): OwnUpstreams {
  const entries = Object.entries(after).map(([name, said]) => [name, { ...before[name], ...said }] as const)
  return { ...before, ...Object.fromEntries(entries) }
}

/** Names of what differs, as an audit entry tells of them: the values stay out of the log. */
export function changedFields(before: StoredSettings, after: StoredSettings): string {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const said = [
    ['added', [...now.keys()].filter((name) => !old.has(name))],
    ['changed', [...now].filter(([name, value]) => old.has(name) && old.get(name) !== value).map(([name]) => name)],
    ['removed', [...old.keys()].filter((name) => !now.has(name))],
  ] as const
  const told = said
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what} ${names.toSorted().join(', ')}`)
  return told.length === 0 ? 'nothing' : told.join('; ')
}

/** Members and members of groups by name, each with its value as a text. */
function fieldsOf(settings: StoredSettings): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(settings).flatMap(([name, value]) =>
      isJsonObject(value)
        ? Object.entries(value).map(([member, one]) => [`${name}.${member}`, JSON.stringify(one)] as const)
        : [[name, JSON.stringify(value)] as const],
    ),
  )
}

export function settingsMovedOn(tenant: string, revision: number): PrehendError<'conflict'> {
  const remedy = 'Read them again and retry.'
  const message = `The settings of ${tenant} changed since they were read (they have revision ${revision}). ${remedy}`
  return new PrehendError('conflict', message, { what: 'settings', remedy })
}
