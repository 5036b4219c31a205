import type { ModelCatalogue, ModelInfo } from '../../tokens/index.ts'

/** What a simulated provider calls itself where it could be taken for a real one. */
export const simulatedName = 'simulated provider'

export type ThinkingMode = 'adaptive' | 'enabled' | 'disabled' | 'between_tools'

/** How a Claude model treats what others refuse, and the other way round. */
export interface ClaudeBehaviour {
  readonly thinkingModes: readonly ThinkingMode[]
  readonly thinkingByDefault: boolean
  /** Thinking comes back without its text. */
  readonly omitsThinking: boolean
  /** Thinking of earlier turns stays in the context. */
  readonly keepsThinking: boolean
  readonly prefill: boolean
  readonly sampling: boolean
  readonly systemMessages: boolean
  readonly forcedTools: boolean
  /** A window too small for input and output ends the answer instead of refusing it. */
  readonly stopsAtWindow: boolean
}

export interface OpenaiBehaviour {
  readonly reasoning: boolean
  readonly breakpoints: boolean
}

export interface GeminiBehaviour {
  readonly thinks: boolean
  /** Signs its calls, and wants them back so. */
  readonly signs: boolean
}

/** A model that others serve. */
export interface VendorModel {
  /** As its name begins: `anthropic` of `anthropic/claude-sonnet-4.6`. */
  readonly vendor: string
  /** As those know it who serve it. */
  readonly served: SimulatedModel
}

export type SimulatedModel = {
  readonly id: string
  readonly info: ModelInfo
} & (
  | { readonly provider: 'anthropic'; readonly claude: ClaudeBehaviour }
  | { readonly provider: 'openai'; readonly openai: OpenaiBehaviour }
  | { readonly provider: 'deepseek' }
  | { readonly provider: 'google'; readonly gemini: GeminiBehaviour }
  | { readonly provider: 'openrouter'; readonly routed: VendorModel }
)

/**
 * The model behind an id as of November 2026, one that the catalogue was told of, or one of nobody's dialect that it has a price for; undefined for an id that no simulated
 * provider would know.
 */
export function simulatedModel(id: string, catalogue: ModelCatalogue): SimulatedModel | undefined {
  const info = catalogue.info(id)
  const claude = claudeBehaviour(id)
  if (claude) return { id, provider: 'anthropic', claude, info }
  const openai = openaiBehaviour(id)
  if (openai) return { id, provider: 'openai', openai, info }
  if (id.startsWith('deepseek-')) return { id, provider: 'deepseek', info }
  const gemini = geminiBehaviour(id)
  if (gemini) return { id, provider: 'google', gemini, info }
  const isPriced = info.provider === 'other' && info.priceSource !== 'unknown'
  return info.known || isPriced ? toldModel(id, info) : undefined
}

/** Models of a caller's own are served as those of their family are; what has no family speaks OpenAI's dialect. */
function toldModel(id: string, info: ModelInfo): SimulatedModel | undefined {
  const claude = claudeBehaviour('claude-sonnet-5')
  if (info.provider === 'anthropic') return claude && { id, provider: 'anthropic', claude, info }
  if (info.provider === 'deepseek') return { id, provider: 'deepseek', info }
  if (info.provider === 'google') return { id, provider: 'google', gemini: newestGemini, info }
  const breakpoints = info.cache.kind === 'openai-breakpoints'
  return { id, provider: 'openai', openai: { reasoning: false, breakpoints }, info }
}

/** Any id at all, as a model of one of these providers. */
export function anyModel(
  id: string,
  catalogue: ModelCatalogue,
  providers: readonly SimulatedModel['provider'][],
): SimulatedModel | undefined {
  const known = simulatedModel(id, catalogue)
  if (known !== undefined && providers.includes(known.provider)) return known
  const info = catalogue.info(id)
  const claude = claudeBehaviour('claude-sonnet-5')
  if (providers.includes('google')) return { id, provider: 'google', gemini: newestGemini, info }
  if (claude && providers.includes('anthropic')) return { id, provider: 'anthropic', claude, info }
  return { id, provider: 'openai', openai: { reasoning: false, breakpoints: false }, info }
}

interface ClaudeName {
  readonly family: string
  /** 4.5 for claude-opus-4-5. */
  readonly version: number
}

function claudeName(id: string): ClaudeName | undefined {
  const current = /^claude-(opus|sonnet|haiku|fable|mythos)-(\d)(?:-(\d))?(?:-(?:\d{8}|latest))?$/.exec(id)
  if (current) return { family: current[1] ?? '', version: Number(`${current[2]}.${current[3] ?? 0}`) }
  const older = /^claude-3(?:-(\d))?-(opus|sonnet|haiku)(?:-(?:\d{8}|latest))?$/.exec(id)
  if (older) return { family: older[2] ?? '', version: Number(`3.${older[1] ?? 0}`) }
  return id === 'claude-mythos-preview' ? { family: 'mythos', version: 5 } : undefined
}

function claudeBehaviour(id: string): ClaudeBehaviour | undefined {
  const name = claudeName(id)
  if (name === undefined) return undefined
  const { family, version } = name
  const largest = family === 'fable' || family === 'mythos'
  return {
    thinkingModes: thinkingModes(name),
    thinkingByDefault: version >= 5,
    omitsThinking: version >= 4.7,
    keepsThinking: largest || (family === 'opus' && version >= 4.5) || version >= 4.6,
    prefill: version < 4.6,
    sampling: version < 4.7,
    systemMessages: largest || (family === 'opus' && version >= 4.8),
    forcedTools: !(family === 'sonnet' && version >= 5.5),
    stopsAtWindow: version >= 4.5,
  }
}

function thinkingModes({ family, version }: ClaudeName): readonly ThinkingMode[] {
  if (family === 'fable' || family === 'mythos') return ['adaptive']
  if (family === 'sonnet' && version >= 5.5) return ['adaptive', 'disabled', 'between_tools']
  if (version >= 4.7) return ['adaptive', 'disabled']
  if (version >= 4.6) return ['adaptive', 'enabled', 'disabled']
  return version >= 3.7 ? ['enabled', 'disabled'] : ['disabled']
}

function openaiBehaviour(id: string): OpenaiBehaviour | undefined {
  if (/^o[134](?:-|$)/.test(id)) return { reasoning: true, breakpoints: false }
  const gpt = /^gpt-(\d+)(?:\.(\d+))?(o)?(?:-|$)/.exec(id)
  if (gpt === null) return undefined
  const version = Number(`${gpt[1]}.${gpt[2] ?? 0}`)
  return { reasoning: version >= 5 && !/-chat(?:-|$)/.test(id), breakpoints: version >= 5.6 }
}

const newestGemini: GeminiBehaviour = { thinks: true, signs: true }

/** `gemini-flash-latest` is the newest. */
function geminiBehaviour(id: string): GeminiBehaviour | undefined {
  if (/^gemini-(?:pro|flash|flash-lite)-latest$/.test(id)) return newestGemini
  const version = /^gemini-(\d+(?:\.\d+)?)-/.exec(id)
  return version === null ? undefined : { thinks: Number(version[1]) >= 2.5, signs: Number(version[1]) >= 3 }
}
