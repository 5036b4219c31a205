import { isJsonObject, invalidInput } from '../core/index.ts'
import type { ShownSettings } from '../gateway/index.ts'
import { fileConfig } from './gateway-file.ts'
import type { GatewayFile } from './gateway-file.ts'
import { askGateway } from './gateway-request.ts'
import type { GatewayRequest } from './gateway-request.ts'
import type { Io } from './io.ts'
import { localActor } from './keys-place.ts'
import type { PlaceGiven } from './keys-place.ts'
import { requireDistinctMembers } from './distinct-members.ts'
import { parseJson } from './read-text.ts'
import { openStoreThere } from './store-place.ts'

/** `warnings`: that no configuration names the tenant. */
export type ChangedSettings = ShownSettings & { readonly warnings?: readonly string[] }

/** Where settings of a tenant are managed: a gateway that runs, or a store. */
export interface SettingsPlace {
  show(tenant: string): Promise<ShownSettings>
  /** Undefined removes them. */
  change(tenant: string, settings: ShownSettings['settings'] | undefined): Promise<ChangedSettings>
}

export interface SettingsGiven extends PlaceGiven, GatewayFile {
  readonly revision?: number
}

export async function withSettings<Result>(
  given: SettingsGiven,
  io: Io,
  work: (settings: SettingsPlace) => Promise<Result>,
): Promise<Result> {
  const { url, token, revision } = given
  if (url !== undefined) return work(settingsOfGateway({ url, token, ...(revision !== undefined && { revision }) }))
  const config = await fileConfig(given, io)
  const gateway = await import('../gateway/index.ts')
  const store = await openStoreThere(given, io)
  const require: typeof gateway.requireTenantSettings | undefined =
    given.config === undefined ? undefined : gateway.requireTenantSettings
  const host = {
    store,
    clock: Date.now,
    ...(require && { require: (tenant: string, own: Parameters<typeof require>[2]) => require(config, tenant, own) }),
  }
  const by = { actor: localActor(io), from: 'local' }
  try {
    return await work({
      show: (tenant) => gateway.storedSettings(store, tenant),
      async change(tenant, settings) {
        const changed = await gateway.changeTenantSettings(host, { tenant, settings, revision }, by)
        // Without its configuration nobody knows which tenants a gateway names.
        const isKnown = given.config === undefined || settings === undefined
        const warnings = isKnown ? [] : gateway.settingsWarnings(config, tenant)
        return { ...changed, ...(warnings.length > 0 && { warnings }) }
      },
    })
  } finally {
    await store.close()
  }
}

/** Settings in a text. Throws `invalid-input` where it holds anything else. */
export function settingsIn(text: string, from: string): ShownSettings['settings'] {
  const value = parseJson(text, from)
  requireDistinctMembers(text, from)
  if (isJsonObject(value)) return value
  throw invalidInput(from, 'is not an object', 'Give a JSON object, as tenants.NAME of a configuration is.')
}

interface SettingsAddress {
  readonly url: string
  readonly token?: string | undefined
  readonly revision?: number
}

function settingsOfGateway({ revision, ...at }: SettingsAddress): SettingsPlace {
  const ask = async (asked: GatewayRequest): Promise<ChangedSettings> =>
    (await askGateway(at, asked)) as ChangedSettings
  const pathOf = (tenant: string): string => `/v1/tenants/${encodeURIComponent(tenant)}/settings`
  const query = revision === undefined ? '' : `?revision=${revision}`
  return {
    show: (tenant) => ask({ path: pathOf(tenant) }),
    change: (tenant, settings) =>
      settings === undefined
        ? ask({ method: 'DELETE', path: pathOf(tenant) + query })
        : ask({ method: 'PUT', path: pathOf(tenant) + query, body: settings }),
  }
}
