import { PrehendError } from '../../core/index.ts'
import type { Dialect } from '../../core/index.ts'
import { dialects as builtInDialects } from '../../codecs/index.ts'
import type { DialectTable } from '../../codecs/index.ts'
import {
  fetchUpstream,
  localServers,
  namesVendors,
  providerAddress,
  providerEndpoints,
  providerNames,
  simulatedProvider,
  spokenBy,
  usageOfStreams,
} from '../../providers/index.ts'
import { upstream } from '../../providers/pool/index.ts'
import type { ProviderName, Script, SpokenAt, StreamUsageAsked, Upstream } from '../../providers/index.ts'
import { modelCatalogue, vendorOf } from '../../tokens/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import { wildcards } from '../access/allowed-routes.ts'
import type { GatewayConfig } from '../config.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { simulatedName } from '../exchange/trace.ts'
import { settingsFor } from '../tenant-settings.ts'
import { keyHeaders } from '../access/key-headers.ts'
import { modelNames } from './model-names.ts'
import type { NamedModel } from './model-names.ts'

/** A provider, the dialect in which it is asked, and whether the credentials that clients send are meant for it. */
export interface UpstreamRoute {
  readonly upstream: Upstream
  /** The client's own, where the provider speaks it. */
  readonly dialect: Dialect
  readonly passCredentials: boolean
  /** Whether its streams are asked for usage where the client does not ask, or refuse to be; absent where that is not known. */
  readonly streamUsage?: StreamUsageAsked
}

/** What decides where a request goes. */
export interface Wanted {
  readonly dialect: Dialect
  readonly model: string
  /** The upstream that the client's name for the model names. */
  readonly name?: string | undefined
  /** Whose request it is: tenants may have providers and keys of their own. */
  readonly tenant?: string
  /** The upstream that was asked first, where another is asked in its place. */
  readonly standsInFor?: string | undefined
  /** Whether another dialect than the client's will do: for conversations, not for a list of models. */
  readonly crosses?: boolean
}

/** What a request wants of an upstream. */
export function wantedOf(exchange: Exchange): Wanted {
  const { wire, conversation, kind, tenant, upstream: name, standsInFor } = exchange
  // A body that nobody can read is refused where it would have to cross: it is not for the provider of the client's dialect.
  const crosses = kind === 'messages' || kind === 'count-tokens'
  return { dialect: wire.dialect, model: conversation.model, name, crosses, tenant, standsInFor: standsInFor?.server }
}

/** The providers that requests go to. */
export interface Upstreams {
  /** What a client's name for a model means, to a tenant that has names of its own. */
  named(model: string, tenant?: string): NamedModel
  /** Where a request goes. Throws `not-configured`. */
  for(wanted: Wanted): UpstreamRoute
  /** Closes the connections to all providers. */
  close(): Promise<void>
}

/** One upstream for everything, which gets the clients' own credentials; closing it is its owner's. */
export function onlyUpstream(only: Upstream): Upstreams {
  return {
    named: (model) => ({ model }),
    for: ({ dialect }) => ({ upstream: only, dialect, passCredentials: true }),
    close: async () => undefined,
  }
}

/** Options of `providerUpstreams`. */
export interface ProviderUpstreamsOptions {
  /** That of the configuration by default. */
  readonly catalogue?: ModelCatalogue
  /** Those that clients and providers may speak; those that come with the product by default. */
  readonly dialects?: DialectTable
  /** What the simulated provider answers; it echoes by default. */
  readonly script?: Script
}

/** The configured providers; the simulated one where none is, and only there. */
export function providerUpstreams(config: GatewayConfig, options: ProviderUpstreamsOptions = {}): Upstreams {
  const ofAll = viewOf(config, options)
  const ofTenants = new Map<string, UpstreamsView>()
  const viewFor = (tenant: string | undefined): UpstreamsView => {
    const settings = tenant === undefined ? config : settingsFor(config, tenant)
    if (tenant === undefined || !namesOf.some((name) => settings[name] !== config[name])) return ofAll
    const unread = config.unreadableKeys?.[tenant] ?? []
    const known = ofTenants.get(tenant) ?? viewOf({ ...config, ...settings }, options, { ofAll, tenant, unread })
    ofTenants.set(tenant, known)
    return known
  }
  return {
    named: (model, tenant) => viewFor(tenant).named(model),
    for: (wanted) => viewFor(wanted.tenant).for(wanted),
    async close() {
      const views = [ofAll, ...ofTenants.values()]
      const upstreams = views.flatMap(({ all, simulated }) =>
        simulated ? simulated.opened() : all.flatMap(({ doors }) => [...doors.values()]),
      )
      await Promise.all([...new Set(upstreams)].map((one) => one.close()))
    },
  }
}

/** What of a configuration decides where a request goes. */
const namesOf = ['upstreams', 'aliases', 'modelRoutes'] as const

/** Where requests go by one configuration. */
interface UpstreamsView extends Pick<Upstreams, 'named' | 'for'> {
  readonly config: GatewayConfig
  readonly all: readonly ConfiguredUpstream[]
  readonly simulated: SimulatedUpstreams | undefined
}

interface ViewOfTenant {
  readonly ofAll: UpstreamsView
  readonly tenant: string
  /** Upstreams for which it has a key that cannot be read. */
  readonly unread: readonly string[]
}

/** What is as in the view of all is shared with it, connections included. */
function viewOf(config: GatewayConfig, options: ProviderUpstreamsOptions, own?: ViewOfTenant): UpstreamsView {
  const { ofAll, tenant = '', unread = [] } = own ?? {}
  const { catalogue = modelCatalogue(config), dialects = builtInDialects, script } = options
  const shared = (name: string): ConfiguredUpstream | undefined =>
    ofAll?.config.upstreams[name] === config.upstreams[name] ? ofAll?.all.find((one) => one.name === name) : undefined
  const all = Object.keys(config.upstreams).map((name) => {
    const one = shared(name) ?? configured(config, name, dialects)
    return unread.includes(name) ? { ...one, keys: 'unread' as const } : one
  })
  const simulated =
    all.length === 0 ? (ofAll?.simulated ?? simulatedUpstreams(config, { catalogue, dialects, script })) : undefined
  return {
    config,
    all,
    simulated,
    named: modelNames({
      aliases: config.aliases,
      upstreams: all.map(({ name }) => name),
      takes: (model) => Object.hasOwn(config.modelRoutes, model) || all.some(({ takes }) => takes?.(model)),
    }),
    for: (wanted) => {
      const { dialect, model } = wanted
      if (simulated) return { upstream: simulated.for(dialect), dialect, passCredentials: false, streamUsage: 'asked' }
      const family = catalogue.info(model).provider
      const { provider } = dialects.for(dialect).signs
      const found = routeOf(all, { ...wanted, family, vendor: vendorOf(model), provider })
      if (found?.keys === 'unread') throw keyUnread(tenant, found.name)
      const route = found && routeTo(found, { ...wanted, provider })
      if (route) return route
      throw notConfigured(providerNames.find((name) => name === family && isOf(name, wanted)) ?? provider)
    },
  }
}

/**
 * How an upstream is paid for. `clients`: with whatever key a client brings. `vendor`: with the client's key where the client speaks
 * the vendor's dialect; the upstream asks for one. `none`: with the same, and without any from others.
 * `unread`: with a key that cannot be read, so that nothing goes there.
 */
type UpstreamKeys = 'own' | 'clients' | 'vendor' | 'none' | 'unread'

interface ConfiguredUpstream {
  readonly name: string
  /** By the dialects that it speaks, the main one first. */
  readonly doors: ReadonlyMap<Dialect, Upstream>
  readonly keys: UpstreamKeys
  readonly streamUsage?: StreamUsageAsked | undefined
  /** Absent where it takes the models that no other takes. */
  readonly takes?: (model: string) => boolean
}

interface ProvidedWanted extends Wanted {
  /** Whose dialect it comes in. */
  readonly provider: string
}

interface WantedOf extends ProvidedWanted {
  /** Whose model it is, as far as is known. */
  readonly family: string
  /** Who serves it under this name, where that is no provider with a dialect of its own. */
  readonly vendor: string | undefined
}

/**
 * Who is named; who says that it takes the model; else the model's own provider, a server that was named for whatever comes,
 * the dialect's provider. One that speaks the client's dialect comes before one that does not.
 */
function routeOf(all: readonly ConfiguredUpstream[], wanted: WantedOf): ConfiguredUpstream | undefined {
  const { model, name, family, vendor, provider, dialect, crosses = false } = wanted
  const speaks = all.filter(({ doors }) => doors.has(dialect))
  const reached = crosses ? [...speaks, ...all.filter((one) => !speaks.includes(one))] : speaks
  const isOpen = (one: ConfiguredUpstream): boolean =>
    one.takes === undefined && (model === '' || model.includes('/') || !namesVendors(one.name))
  return name === undefined
    ? (reached.find(({ takes }) => takes?.(model)) ??
        speaks.find((one) => isOpen(one) && (one.name === family || one.name === vendor)) ??
        speaks.find((one) => isOpen(one) && !providerNames.some((known) => known === one.name)) ??
        reached.find((one) => isOpen(one) && (one.name === family || one.name === vendor)) ??
        speaks.find((one) => isOpen(one) && one.name === provider) ??
        // What names no model, such as a list of them, any provider of the dialect may answer.
        (model === '' ? speaks[0] : undefined))
    : reached.find((one) => one.name === name)
}

/** Throws `not-configured` where the upstream wants a key, and the client's is for another. */
function routeTo(one: ConfiguredUpstream, wanted: ProvidedWanted): UpstreamRoute | undefined {
  const { doors, streamUsage } = one
  const usage = streamUsage && { streamUsage }
  const passCredentials = isKeyFor(one, wanted)
  if (one.keys === 'vendor' && !passCredentials) throw keyMissing(one.name)
  const [first] = doors
  const own = doors.get(wanted.dialect)
  if (own) return { upstream: own, dialect: wanted.dialect, passCredentials, ...usage }
  return first && { upstream: first[1], dialect: first[0], passCredentials, ...usage }
}

/** Whether the key that a client brings is for an upstream: the client has asked the upstream itself, and speaks its dialect unless the operator says otherwise. */
function isKeyFor({ name, keys }: ConfiguredUpstream, { provider, standsInFor = name }: ProvidedWanted): boolean {
  if (keys === 'own' || standsInFor !== name) return false
  return keys === 'clients' || provider === name
}

function keyMissing(provider: string): PrehendError {
  const known = providerNames.find((name) => name === provider)
  const variable = known ? `Set ${providerEndpoints[known].keyVariable} without --upstream ${known}, or give` : 'Give'
  const remedy = `${variable} upstreams.${provider}.apiKey; or, where all clients bring a key for it, upstreams.${provider}.credentials "of-clients".`
  const message = `The provider ${provider} has no key here, and the key of this client is not for it. ${remedy}`
  return new PrehendError('not-configured', message, { provider, remedy })
}

function keyUnread(tenant: string, name: string): PrehendError {
  const remedy = `Set providerKeys.secret to that by which it was set, or set the key again with prehend provider-keys set ${name} --tenant ${tenant}.`
  const message = `The key of the tenant ${tenant} for ${name} cannot be read, and no other is used in its place. ${remedy}`
  return new PrehendError('not-configured', message, { provider: name, remedy })
}

function isOf(name: ProviderName, { dialect, crosses }: Wanted): boolean {
  return crosses === true || Object.hasOwn(providerEndpoints[name].speaks, dialect)
}

function notConfigured(provider: string): PrehendError {
  const known = providerNames.find((name) => name === provider)
  const key = known
    ? `Set ${providerEndpoints[known].keyVariable}, or give --upstream ${known} (upstreams.${known}).`
    : ''
  const remedy =
    `${key} The simulated provider answers with --simulate only, or where no provider is configured.`.trim()
  return new PrehendError('not-configured', `The provider ${provider} is not configured here. ${remedy}`, {
    provider,
    remedy,
  })
}

function configured({ upstreams, timeouts }: GatewayConfig, name: string, dialects: DialectTable): ConfiguredUpstream {
  const { apiKey, models, credentials, streamUsage, ...settings } = upstreams[name] ?? {}
  const isRemote = settings.baseUrl === undefined && !localServers.has(name)
  const keyless = credentials === 'of-clients' ? 'clients' : isRemote ? 'vendor' : 'none'
  const doorOf = ({ dialect, baseUrl }: SpokenAt): Upstream =>
    upstream({
      name,
      ...providerAddress(baseUrl, dialect),
      timeouts,
      ...(apiKey !== undefined && { headers: keyHeaders(dialects.for(dialect), apiKey, name) }),
    })
  return {
    name,
    doors: new Map(spokenBy(name, settings).map((at) => [at.dialect, doorOf(at)])),
    keys: apiKey !== undefined ? 'own' : keyless,
    streamUsage: streamUsage === undefined ? usageOfStreams(name) : streamUsage ? 'asked' : 'refused',
    ...(models && { takes: wildcards(models) }),
  }
}

type SimulatedOptions = Required<Pick<ProviderUpstreamsOptions, 'catalogue' | 'dialects'>> & {
  readonly script: Script | undefined
}

interface SimulatedUpstreams {
  for(dialect: Dialect): Upstream
  opened(): readonly Upstream[]
}

/** One provider behind all; each dialect brings its key in its own way. */
function simulatedUpstreams(
  { timeouts }: GatewayConfig,
  { catalogue, dialects, script = [] }: SimulatedOptions,
): SimulatedUpstreams {
  const { fetch } = simulatedProvider({ catalogue, script, strict: false })
  const opened = new Map<Dialect, Upstream>()
  return {
    for(dialect) {
      if (!builtInDialects.names.includes(dialect)) throw notConfigured(dialect)
      const headers = keyHeaders(dialects.for(dialect), 'simulated')
      const found =
        opened.get(dialect) ??
        fetchUpstream({ name: simulatedName, origin: 'http://simulated', fetch, headers, timeouts })
      opened.set(dialect, found)
      return found
    },
    opened: () => [...opened.values()],
  }
}
