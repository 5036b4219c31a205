import { PrehendError, literalPattern } from '../../core/index.ts'
import type { Dialect } from '../../core/index.ts'
import { codecFor } from '../../codecs/index.ts'
import {
  fetchUpstream,
  namesVendors,
  providerAddress,
  providerEndpoints,
  providerNames,
  simulatedProvider,
  spokenBy,
} from '../../providers/index.ts'
import { upstream } from '../../providers/pool/index.ts'
import type { ProviderName, Script, SpokenAt, Upstream } from '../../providers/index.ts'
import { modelCatalogue, vendorOf } from '../../tokens/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import type { GatewayConfig } from '../config.ts'
import { settingsFor } from '../tenant-settings.ts'
import { keyHeaders } from './key-headers.ts'
import { modelNames } from './model-names.ts'
import type { NamedModel } from './model-names.ts'

/** A provider, the dialect in which it is asked, and whether the credentials that clients send are meant for it. */
export interface UpstreamRoute {
  readonly upstream: Upstream
  /** The client's own, where the provider speaks it. */
  readonly dialect: Dialect
  readonly passCredentials: boolean
}

/** What decides where a request goes. */
export interface Wanted {
  readonly dialect: Dialect
  readonly model: string
  /** The upstream that the client's name for the model names. */
  readonly name?: string | undefined
  /** Whose request it is: tenants may have providers and keys of their own. */
  readonly tenant?: string
  /** Whether another dialect than the client's will do: for conversations, not for a list of models. */
  readonly crosses?: boolean
}

export interface Upstreams {
  /** What a client's name for a model means, to a tenant that has names of its own. */
  named(model: string, tenant?: string): NamedModel
  /** Where a request goes. Throws `not-configured`. */
  for(wanted: Wanted): UpstreamRoute
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

export interface ProviderUpstreamsOptions {
  /** That of the configuration by default. */
  readonly catalogue?: ModelCatalogue
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
    const known = ofTenants.get(tenant) ?? viewOf({ ...config, ...settings }, options, ofAll)
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

/** What is as in the view of all is shared with it, connections included. */
function viewOf(config: GatewayConfig, options: ProviderUpstreamsOptions, ofAll?: UpstreamsView): UpstreamsView {
  const { catalogue = modelCatalogue(config), script } = options
  const shared = (name: string): ConfiguredUpstream | undefined =>
    ofAll?.config.upstreams[name] === config.upstreams[name] ? ofAll?.all.find((one) => one.name === name) : undefined
  const all = Object.keys(config.upstreams).map((name) => shared(name) ?? configured(config, name))
  const simulated = all.length === 0 ? (ofAll?.simulated ?? simulatedUpstreams(config, catalogue, script)) : undefined
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
      if (simulated) return { upstream: simulated.for(dialect), dialect, passCredentials: false }
      const family = catalogue.info(model).provider
      const { provider } = codecFor(dialect).signs
      const route = routeOf(all, { ...wanted, family, vendor: vendorOf(model), provider })
      if (route) return route
      throw notConfigured(providerNames.find((name) => name === family && isOf(name, wanted)) ?? provider)
    },
  }
}

interface ConfiguredUpstream {
  readonly name: string
  /** By the dialects that it speaks, the main one first. */
  readonly doors: ReadonlyMap<Dialect, Upstream>
  readonly passCredentials: boolean
  /** Absent where it takes the models that no other takes. */
  readonly takes?: (model: string) => boolean
}

interface WantedOf extends Wanted {
  /** Whose model it is, as far as is known. */
  readonly family: string
  /** Who serves it under this name, where that is no provider with a dialect of its own. */
  readonly vendor: string | undefined
  /** Whose dialect it comes in. */
  readonly provider: string
}

/**
 * Who is named; who says that it takes the model; else the model's own provider, a server that was named for whatever comes,
 * the dialect's provider. One that speaks the client's dialect comes before one that does not.
 */
function routeOf(all: readonly ConfiguredUpstream[], wanted: WantedOf): UpstreamRoute | undefined {
  const { model, name, family, vendor, provider, dialect, crosses = false } = wanted
  const speaks = all.filter(({ doors }) => doors.has(dialect))
  const reached = crosses ? [...speaks, ...all.filter((one) => !speaks.includes(one))] : speaks
  const isOpen = (one: ConfiguredUpstream): boolean =>
    one.takes === undefined && (model === '' || model.includes('/') || !namesVendors(one.name))
  const found =
    name === undefined
      ? (reached.find(({ takes }) => takes?.(model)) ??
        speaks.find((one) => isOpen(one) && (one.name === family || one.name === vendor)) ??
        speaks.find((one) => isOpen(one) && !providerNames.some((known) => known === one.name)) ??
        reached.find((one) => isOpen(one) && (one.name === family || one.name === vendor)) ??
        speaks.find((one) => isOpen(one) && one.name === provider) ??
        // What names no model, such as a list of them, any provider of the dialect may answer.
        (model === '' ? speaks[0] : undefined))
      : reached.find((one) => one.name === name)
  return found && routeTo(found, dialect)
}

function routeTo({ doors, passCredentials }: ConfiguredUpstream, wanted: Dialect): UpstreamRoute | undefined {
  const [first] = doors
  const own = doors.get(wanted)
  if (own) return { upstream: own, dialect: wanted, passCredentials }
  return first && { upstream: first[1], dialect: first[0], passCredentials }
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

function configured({ upstreams, timeouts, tokens }: GatewayConfig, name: string): ConfiguredUpstream {
  const { apiKey, models, ...settings } = upstreams[name] ?? {}
  const doorOf = ({ dialect, baseUrl }: SpokenAt): Upstream =>
    upstream({
      name,
      ...providerAddress(baseUrl, dialect),
      timeouts,
      ...(apiKey !== undefined && { headers: keyHeaders(dialect, apiKey, name) }),
    })
  return {
    name,
    doors: new Map(spokenBy(name, settings).map((at) => [at.dialect, doorOf(at)])),
    passCredentials: apiKey === undefined && tokens.length === 0,
    ...(models && { takes: anyOf(models) }),
  }
}

/** `*` stands for any characters, also for none. */
function anyOf(patterns: readonly string[]): (model: string) => boolean {
  const one = patterns.map((pattern) => pattern.split('*').map(literalPattern).join('.*')).join('|')
  const whole = new RegExp(`^(?:${one})$`, 'is')
  return (model) => whole.test(model)
}

interface SimulatedUpstreams {
  for(dialect: Dialect): Upstream
  opened(): readonly Upstream[]
}

/** One provider behind all; each dialect brings its key in its own way. */
function simulatedUpstreams(
  { timeouts }: GatewayConfig,
  catalogue: ModelCatalogue,
  script: Script = [],
): SimulatedUpstreams {
  const { fetch } = simulatedProvider({ catalogue, script, strict: false })
  const opened = new Map<Dialect, Upstream>()
  return {
    for(dialect) {
      const headers = keyHeaders(dialect, 'simulated')
      const found =
        opened.get(dialect) ??
        fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch, headers, timeouts })
      opened.set(dialect, found)
      return found
    },
    opened: () => [...opened.values()],
  }
}
