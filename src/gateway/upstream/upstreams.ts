import { PrehendError, literalPattern } from '../../core/index.ts'
import type { Dialect } from '../../core/index.ts'
import { codecFor } from '../../codecs/index.ts'
import {
  fetchUpstream,
  knownEndpoint,
  providerAddress,
  providerEndpoints,
  providerNames,
  simulatedProvider,
} from '../../providers/index.ts'
import { upstream } from '../../providers/pool/index.ts'
import type { ProviderName, Script, Upstream } from '../../providers/index.ts'
import { modelCatalogue } from '../../tokens/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import type { GatewayConfig } from '../config.ts'
import { keyHeaders } from './key-headers.ts'

/** A provider, and whether the credentials that clients send are meant for it. */
export interface UpstreamRoute {
  readonly upstream: Upstream
  readonly passCredentials: boolean
}

export interface Upstreams {
  /** Where requests of a dialect for a model go. Throws `not-configured`. */
  for(dialect: Dialect, model: string): UpstreamRoute
  close(): Promise<void>
}

export interface ProviderUpstreamsOptions {
  /** That of the configuration, unless told. */
  readonly catalogue?: ModelCatalogue
  /** What the simulated provider answers; it echoes unless told. */
  readonly script?: Script
}

/** The configured providers; the simulated one where none is, and only there. */
export function providerUpstreams(config: GatewayConfig, options: ProviderUpstreamsOptions = {}): Upstreams {
  const { catalogue = modelCatalogue(config), script } = options
  const all = Object.keys(config.upstreams).map((name) => configured(config, name))
  if (all.length === 0) return simulatedUpstreams(config, catalogue, script)
  return {
    for: (dialect, model) => {
      const { provider } = codecFor(dialect).signs
      const family = catalogue.info(model).provider
      const wanted = { model, family, provider }
      // Who has several dialects serves them all under one address.
      const alike = all.filter((one) => codecFor(one.dialect).signs.provider === provider)
      const own = alike.filter((one) => one.dialect === dialect)
      const route = routeOf(own, wanted) ?? routeOf(alike, wanted)
      if (route) return route
      throw notConfigured(providerNames.find((name) => name === family && isOf(name, dialect)) ?? provider)
    },
    async close() {
      await Promise.all(all.map((route) => route.upstream.close()))
    },
  }
}

interface ConfiguredUpstream extends UpstreamRoute {
  readonly name: string
  readonly dialect: Dialect
  /** Absent where it takes the models that no other takes. */
  readonly takes?: (model: string) => boolean
}

interface Wanted {
  readonly model: string
  /** Whose model it is, as far as is known. */
  readonly family: string
  /** Whose dialect it comes in. */
  readonly provider: string
}

/** Who says that it takes the model; else the model's own provider, a server that was named for whatever comes, the dialect's provider. */
function routeOf(
  speaks: readonly ConfiguredUpstream[],
  { model, family, provider }: Wanted,
): UpstreamRoute | undefined {
  const open = speaks.filter(({ takes }) => !takes)
  const named = (wanted: string): UpstreamRoute | undefined => open.find(({ name }) => name === wanted)
  return (
    speaks.find(({ takes }) => takes?.(model)) ??
    named(family) ??
    open.find(({ name }) => !providerNames.some((known) => known === name)) ??
    named(provider) ??
    // What names no model, such as a list of them, any provider of the dialect may answer.
    (model === '' ? speaks[0] : undefined)
  )
}

function isOf(name: ProviderName, dialect: Dialect): boolean {
  return providerEndpoints[name].dialect === dialect
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
  const known = knownEndpoint(name)
  const { dialect = known.dialect, baseUrl = known.baseUrl ?? '', apiKey, models } = upstreams[name] ?? {}
  return {
    name,
    dialect,
    upstream: upstream({
      name,
      ...providerAddress(baseUrl, dialect),
      timeouts,
      ...(apiKey !== undefined && { headers: keyHeaders(dialect, apiKey) }),
    }),
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

function simulatedUpstreams({ timeouts }: GatewayConfig, catalogue: ModelCatalogue, script: Script = []): Upstreams {
  const { fetch } = simulatedProvider({ catalogue, script, strict: false })
  const routes = new Map<Dialect, UpstreamRoute>()
  const routeFor = (dialect: Dialect): UpstreamRoute => {
    const headers = keyHeaders(dialect, 'simulated')
    const options = { name: 'simulated', origin: 'http://simulated', fetch, headers, timeouts }
    return { upstream: fetchUpstream(options), passCredentials: false }
  }
  return {
    for(dialect) {
      const route = routes.get(dialect) ?? routeFor(dialect)
      routes.set(dialect, route)
      return route
    },
    async close() {
      await Promise.all(Array.from(routes.values(), (route) => route.upstream.close()))
    },
  }
}
