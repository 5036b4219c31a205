import type { Dialect } from '../../core/index.ts'
import { codecFor } from '../../codecs/index.ts'
import { fetchUpstream, providerAddress, providerEndpoints, simulatedProvider } from '../../providers/index.ts'
import { upstream } from '../../providers/pool/index.ts'
import type { ProviderName, Upstream } from '../../providers/index.ts'
import { modelCatalogue } from '../../tokens/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import type { GatewayConfig } from '../config.ts'

/** A provider, and whether the credentials that clients send are meant for it. */
export interface UpstreamRoute {
  readonly upstream: Upstream
  readonly passCredentials: boolean
}

export interface Upstreams {
  /** Where requests of a dialect for a model go: to the model's own provider where it speaks the dialect, else to the dialect's. */
  for(dialect: Dialect, model: string): UpstreamRoute
  close(): Promise<void>
}

/** The configured providers, and the simulated one in the place of those that are not. */
export function providerUpstreams(config: GatewayConfig, catalogue = modelCatalogue(config)): Upstreams {
  const names = Object.keys(providerEndpoints) as ProviderName[]
  const routes = new Map<string, UpstreamRoute | undefined>(names.map((name) => [name, configured(config, name)]))
  const simulated = simulatedRoute(config, catalogue)
  return {
    for: (dialect, model) => {
      const own = names.find((name) => name === catalogue.info(model).provider)
      const speaks = own !== undefined && providerEndpoints[own].dialect === dialect
      return (speaks ? routes.get(own) : undefined) ?? routes.get(codecFor(dialect).signs.provider) ?? simulated
    },
    async close() {
      const all = [...routes.values(), simulated].filter((route) => route !== undefined)
      await Promise.all(all.map((route) => route.upstream.close()))
    },
  }
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

function simulatedRoute({ timeouts }: GatewayConfig, catalogue: ModelCatalogue): UpstreamRoute {
  const { fetch } = simulatedProvider({ catalogue })
  const headers = { authorization: 'Bearer simulated' }
  const options = { name: 'simulated', origin: 'http://simulated', fetch, headers, timeouts }
  return { upstream: fetchUpstream(options), passCredentials: false }
}
