import { PrehendError, invalidInput } from '../../core/index.ts'
import { parseConfig, providerUpstreams } from '../../gateway/index.ts'
import type { GatewayConfig, UpstreamRoute, Upstreams } from '../../gateway/index.ts'
import { modelCatalogue } from '../../tokens/index.ts'
import type { ModelCatalogue, ModelInfo } from '../../tokens/index.ts'
import type { Io } from '../io.ts'
import { givenScript } from '../script-option.ts'
import { gatewayConfig } from '../serving-config.ts'
import { agentDialect, dialectOfFamily } from './dialects/agent-dialects.ts'
import type { AgentDialect } from './dialects/agent-dialect.ts'
import type { LiveOptions } from './live-options.ts'

/** Where the model is asked, and what is known of it. */
export interface LiveModel {
  readonly catalogue: ModelCatalogue
  readonly info: ModelInfo
  readonly route: UpstreamRoute
  readonly dialect: AgentDialect
  readonly isSimulated: boolean
  close(): Promise<void>
}

/** Opens the providers as `serve` would. Throws `not-configured` where none is, and nobody asked for the simulated one. */
export async function openLiveModel(model: string, options: LiveOptions, io: Io): Promise<LiveModel> {
  refuseDemonstration(options)
  const config = withKeys(configOf(options, io), io)
  const isSimulated = options.simulate === true || options.script !== undefined
  if (!isSimulated && Object.keys(config.upstreams).length === 0) {
    const remedy =
      'Set ANTHROPIC_API_KEY or another key, give --upstream, or ask the simulated provider with --simulate'
    throw new PrehendError('not-configured', `No provider is configured. ${remedy}.`, { provider: 'any', remedy })
  }
  const catalogue = modelCatalogue({ models: withPrice(config.models, model, options.price) })
  const script = await givenScript(options.script, io)
  const upstreams = providerUpstreams(config, { catalogue, ...(script && { script }) })
  const info = catalogue.info(model)
  const { route, dialect } = routeFor(upstreams, model, info)
  return { catalogue, info, route, dialect, isSimulated, close: () => upstreams.close() }
}

/** The demonstration edits files of its own, so that every policy would come out at 0%. */
function refuseDemonstration({ script }: LiveOptions): void {
  if (script !== 'example') return
  const remedy = 'Give a script that you wrote for a task, or leave --script out and ask a model'
  throw invalidInput('--script', 'example is the demonstration of serve, and it solves no task', remedy)
}

function configOf({ upstream, config, simulate, script }: LiveOptions, io: Io): GatewayConfig {
  const given = { upstream, config, simulate, script }
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return parseConfig(gatewayConfig(said, io.environment))
}

/** There is no client whose credentials could be passed on, so an upstream without a key gets that of its name. */
function withKeys(config: GatewayConfig, { environment }: Io): GatewayConfig {
  const upstreams = Object.entries(config.upstreams).map(([name, settings]) => {
    const apiKey = environment[`${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`] ?? ''
    return [name, settings.apiKey === undefined && apiKey !== '' ? { ...settings, apiKey } : settings] as const
  })
  return { ...config, upstreams: Object.fromEntries(upstreams) }
}

/** The provider, in the dialect of the model's makers if it speaks that one. */
function routeFor(
  upstreams: Upstreams,
  model: string,
  info: ModelInfo,
): { readonly route: UpstreamRoute; readonly dialect: AgentDialect } {
  const route = upstreams.for({ dialect: dialectOfFamily(info), model, crosses: true })
  const dialect = agentDialect(route.dialect)
  if (dialect !== undefined) return { route, dialect }
  const remedy = 'Use one that speaks openai-chat, anthropic-messages or gemini'
  throw invalidInput('--upstream', `the agent of --live does not speak ${route.dialect}`, remedy)
}

type Models = GatewayConfig['models']

function withPrice(models: Models, model: string, given: readonly string[] | undefined): Models {
  if (given === undefined) return models
  const prices = given.map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  const [input, output, cacheRead, cacheWrite] = prices
  const isComplete = input !== undefined && output !== undefined && prices.length <= 4
  if (!isComplete || prices.some((price) => !(price >= 0 && Number.isFinite(price))))
    throw invalidInput('--price', `${given.join(',')} is no list of prices`, 'Give it as in 3,15 or 3,15,0.3,3.75')
  const list = {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  }
  return { ...models, [model]: { ...models[model], prices: list } }
}
