import { PrehendError } from '../../core/index.ts'
import type { Dialect } from '../../core/index.ts'
import { codecFor } from '../../codecs/index.ts'
import { fetchUpstream, providerAddress, providerEndpoints, simulatedProvider } from '../../providers/index.ts'
import { upstream } from '../../providers/pool/index.ts'
import type { ProviderName, Script, Upstream } from '../../providers/index.ts'
import { modelCatalogue } from '../../tokens/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import type { GatewayConfig } from '../config.ts'

/** A provider, and whether the credentials that clients send are meant for it. */
export interface UpstreamRoute {
  readonly upstream: Upstream
  readonly passCredentials: boolean
}

export interface Upstreams {
  /**
   * Where requests of a dialect for a model go: to the model's own provider where it speaks the dialect, else to the
   * dialect's. Throws `not-configured`.
   */
  for(dialect: Dialect, model: string): UpstreamRoute
  close(): Promise<void>
}

export interface ProviderUpstreamsOptions {
  /** That of the configuration, unless told. */
  readonly catalogue?: ModelCatalogue
  /** What the simulated provider answers; it echoes unless told. */
  readonly script?: Script
}

const names = Object.keys(providerEndpoints) as ProviderName[]

/** The configured providers; the simulated one where none is, and only there. */
export function providerUpstreams(config: GatewayConfig, options: ProviderUpstreamsOptions = {}): Upstreams {
  const { catalogue = modelCatalogue(config), script } = options
  const routes = new Map<string, UpstreamRoute>(
    names.flatMap((name) => {
      const route = configured(config, name)
      return route ? [[name, route] as const] : []
    }),
  )
  const simulated = routes.size === 0 ? simulatedRoute(config, catalogue, script) : undefined
  return {
    for: (dialect, model) => {
      if (simulated) return simulated
      const speaks = names.filter((name) => providerEndpoints[name].dialect === dialect)
      const own = speaks.find((name) => name === catalogue.info(model).provider)
      const { provider } = codecFor(dialect).signs
      // What names no model, such as a list of them, any provider of the dialect may answer.
      const others = model === '' ? speaks : []
      const name = [own, provider, ...others].find((candidate) => candidate !== undefined && routes.has(candidate))
      const route = name === undefined ? undefined : routes.get(name)
      if (route) return route
      throw notConfigured(own ?? provider)
    },
    async close() {
      const all = simulated ? [simulated] : [...routes.values()]
      await Promise.all(all.map((route) => route.upstream.close()))
    },
  }
}

function notConfigured(provider: string): PrehendError {
  const known = names.find((name) => name === provider)
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

function configured(config: GatewayConfig, name: ProviderName): UpstreamRoute | undefined {
  const settings = config.upstreams[name]
  if (!settings) return undefined
  const { dialect, baseUrl, authHeaders } = providerEndpoints[name]
  const { apiKey } = settings
  return {
    upstream: upstream({
      name,
      ...providerAddress(settings.baseUrl ?? baseUrl, dialect),
      timeouts: config.timeouts,
      ...(apiKey !== undefined && { headers: authHeaders(apiKey) }),
    }),
    passCredentials: apiKey === undefined && config.tokens.length === 0,
  }
}

function simulatedRoute({ timeouts }: GatewayConfig, catalogue: ModelCatalogue, script: Script = []): UpstreamRoute {
  const { fetch } = simulatedProvider({ catalogue, script, strict: false })
  const headers = { authorization: 'Bearer simulated' }
  const options = { name: 'simulated', origin: 'http://simulated', fetch, headers, timeouts }
  return { upstream: fetchUpstream(options), passCredentials: false }
}
