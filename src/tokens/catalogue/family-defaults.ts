import { CLAUDE_FACTOR_SINCE_4_7, CLAUDE_FACTOR_TO_4_6 } from './anthropic-models.ts'
import {
  anthropicBreakpoints,
  deepseekUnits,
  googleImplicit,
  mistralPrefix,
  moonshotPrefix,
  noCache,
  openaiBreakpoints,
  openaiPrefix,
  xaiPrefix,
  zaiPrefix,
} from './cache-rules.ts'
import { DEEPSEEK_FACTOR, DEEPSEEK_TOOL_PROMPT } from './deepseek-models.ts'
import { GEMINI_FACTOR } from './google-models.ts'
import { UNKNOWN_FACTOR } from './model-info.ts'
import type { ModelInfo, ProviderFamily } from './model-info.ts'
import { modelName } from './model-name.ts'

type Defaults = Omit<ModelInfo, 'id' | 'known' | 'priceSource' | 'asOf' | 'prices'>

const cautious: Defaults = {
  provider: 'other',
  windowTokens: 128_000,
  maxOutputTokens: 4096,
  encoding: 'o200k_base',
  countFactor: UNKNOWN_FACTOR,
  toolPrompt: { auto: 100, forced: 100 },
  cache: noCache,
}

/** What is assumed of a model that no table knows: the family's habits, where the name or the caller tells the family. */
export function familyDefaults(name: string, family?: ProviderFamily): Defaults {
  const told = byName(name)
  return family === undefined || told.provider === family ? told : byFamily[family](name)
}

const byFamily: { readonly [Family in ProviderFamily]: (name: string) => Defaults } = {
  anthropic: claude,
  openai,
  google: () => gemini,
  deepseek: () => deepseek,
  other: () => cautious,
}

function byName(name: string): Defaults {
  if (name.startsWith('claude')) return claude(name)
  if (/^(?:gpt|chatgpt|codex|o\d)/.test(name)) return openai(name)
  if (name.startsWith('gemini')) return gemini
  if (name.startsWith('deepseek')) return deepseek
  return { ...cautious, ...vendorNamed(name)?.habits }
}

interface Vendor {
  readonly vendor: string
  /** How the names of its models begin. */
  readonly names: RegExp
  readonly habits: Partial<Defaults>
}

/** Whoever speaks OpenAI's dialect and has habits of its own. Open models of Qwen's are cached by whom they are served. */
const vendors: readonly Vendor[] = [
  { vendor: 'qwen', names: /^qw[eq]/, habits: { encoding: 'cl100k_base', countFactor: 1 } },
  { vendor: 'moonshot', names: /^(?:kimi|moonshot)-/, habits: { cache: moonshotPrefix } },
  { vendor: 'xai', names: /^grok-/, habits: { cache: xaiPrefix } },
  { vendor: 'zai', names: /^glm-/, habits: { cache: zaiPrefix } },
  {
    vendor: 'mistral',
    names: /^(?:(?:open-)?mi[sx]tral|ministral|magistral|codestral|devstral|pixtral)-/,
    habits: { cache: mistralPrefix },
  },
]

function vendorNamed(name: string): Vendor | undefined {
  return vendors.find(({ names }) => names.test(name))
}

/**
 * Who serves a model under this very name, where that is nobody with a dialect of their own: `kimi-k3` is Moonshot's, while
 * `moonshotai/kimi-k3` and `qwen3-coder:30b` are what others call it.
 */
export function vendorOf(model: string): string | undefined {
  return /[/:]/.test(model) ? undefined : vendorNamed(modelName(model))?.vendor
}

/** A Claude that is not in the table is taken for a newer one, except the third generation and before. */
function claude(name: string): Defaults {
  const old = /^claude-(?:[123]\b|v\d|instant)/.test(name)
  return {
    provider: 'anthropic',
    windowTokens: 200_000,
    maxOutputTokens: old ? 4096 : 32_000,
    encoding: 'claude',
    countFactor: old ? CLAUDE_FACTOR_TO_4_6 : CLAUDE_FACTOR_SINCE_4_7,
    toolPrompt: { auto: 675, forced: 804 },
    cache: anthropicBreakpoints(4096),
  }
}

function openai(name: string): Defaults {
  const isOld = /^gpt-(?:3\.5|4(?![.o\d]))/.test(name)
  const isNew = openaiVersion(name) >= 5.6
  return {
    provider: 'openai',
    windowTokens: isNew ? 1_050_000 : 128_000,
    maxOutputTokens: isNew ? 128_000 : 16_384,
    encoding: isOld ? 'cl100k_base' : 'o200k_base',
    countFactor: 1,
    toolPrompt: { auto: 97, forced: 102 },
    // From GPT-5.6 on, caches match at breakpoints only, and every known model has the same window.
    cache: isNew ? openaiBreakpoints : openaiPrefix,
  }
}

function openaiVersion(name: string): number {
  return Number(/^gpt-(\d+(?:\.\d+)?)/.exec(name)?.[1] ?? 0)
}

const gemini: Defaults = {
  provider: 'google',
  windowTokens: 1_000_000,
  maxOutputTokens: 8192,
  encoding: 'o200k_base',
  countFactor: GEMINI_FACTOR,
  toolPrompt: { auto: 0, forced: 0 },
  cache: googleImplicit(4096),
}

const deepseek: Defaults = {
  provider: 'deepseek',
  windowTokens: 128_000,
  maxOutputTokens: 8192,
  encoding: 'o200k_base',
  countFactor: DEEPSEEK_FACTOR,
  toolPrompt: { auto: DEEPSEEK_TOOL_PROMPT, forced: DEEPSEEK_TOOL_PROMPT },
  cache: deepseekUnits,
}
