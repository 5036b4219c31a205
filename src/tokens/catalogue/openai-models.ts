import { openaiBreakpoints, openaiPrefix } from './cache-rules.ts'
import { dollars } from './dollars.ts'
import type { ModelFacts, ModelPrices, PriceList } from './model-info.ts'

interface OpenaiRow {
  readonly input: number
  readonly output: number
  readonly read?: number
  readonly window?: number
  readonly maxOutput?: number
  readonly breakpoints?: boolean
  /** Beyond 272,000 input tokens the whole request costs twice the input and 1.5 times the output. */
  readonly longTier?: boolean
  readonly encoding?: 'cl100k_base'
  readonly toolPrompt?: number
}

const LONG_INPUT_TOKENS = 272_000
const WRITE_SHARE = 1.25
const WRITE_LONG_SHARE = 2.5

/**
 * Sources: OpenAI's model pages through genai-prices of September 2026, its guides and SDK up to November 2026; output
 * limits before GPT-5 from the model cards. Prices of GPT-6.1 are second hand. Prices of GPT-6.2, the default of Codex, are
 * assumed to be those of the models before it. Tool prompts were measured against the API by the authors of ai-tokenizer
 * (December 2025), less the first function.
 */
const rows: { readonly [id: string]: OpenaiRow } = {
  'gpt-6.2-astra': { input: 10, read: 1, output: 50, breakpoints: true, longTier: true },
  'gpt-6.2-sol': { input: 2, read: 0.1, output: 10, breakpoints: true, longTier: true },
  'gpt-6.1-sol': { input: 2, read: 0.1, output: 10, breakpoints: true, longTier: true },
  'gpt-6.1-terra': { input: 1, read: 0.05, output: 5, breakpoints: true, longTier: true },
  'gpt-6-astra': { input: 10, read: 1, output: 50, breakpoints: true, longTier: true },
  'gpt-6-sol': { input: 2, read: 0.2, output: 10, breakpoints: true, longTier: true },
  'gpt-6-luna': { input: 0.1, read: 0.01, output: 0.5, breakpoints: true, longTier: true },
  'gpt-5.6-sol': { input: 4, read: 0.4, output: 20, breakpoints: true, longTier: true },
  'gpt-5.6-terra': { input: 2, read: 0.2, output: 12, breakpoints: true, longTier: true },
  'gpt-5.6-luna': { input: 0.2, read: 0.02, output: 1.2, breakpoints: true, longTier: true },
  'gpt-5.5': { input: 5, read: 0.5, output: 30, window: 1_000_000, longTier: true },
  'gpt-5.4': { input: 2.5, read: 0.25, output: 15, longTier: true },
  'gpt-5.4-mini': { input: 0.75, read: 0.075, output: 4.5, window: 400_000 },
  'gpt-5.4-nano': { input: 0.2, read: 0.02, output: 1.25, window: 400_000 },
  'gpt-5.3-codex': { input: 1.75, read: 0.175, output: 14, window: 400_000, toolPrompt: 97 },
  'gpt-5.2': { input: 1.75, read: 0.175, output: 14, window: 400_000 },
  'gpt-5.1': { input: 1.25, read: 0.125, output: 10, window: 400_000 },
  'gpt-5.1-codex': { input: 1.25, read: 0.125, output: 10, window: 400_000, toolPrompt: 97 },
  'gpt-5': { input: 1.25, read: 0.125, output: 10, window: 400_000 },
  'gpt-5-mini': { input: 0.25, read: 0.025, output: 2, window: 400_000 },
  'gpt-5-nano': { input: 0.05, read: 0.005, output: 0.4, window: 400_000 },
  'gpt-4.1': { input: 2, read: 0.5, output: 8, window: 1_000_000, maxOutput: 32_768, toolPrompt: 10 },
  'gpt-4.1-mini': { input: 0.4, read: 0.1, output: 1.6, window: 1_000_000, maxOutput: 32_768, toolPrompt: 10 },
  'gpt-4.1-nano': { input: 0.1, read: 0.025, output: 0.4, window: 1_000_000, maxOutput: 32_768, toolPrompt: 10 },
  'gpt-4o': { input: 2.5, read: 1.25, output: 10, window: 128_000, maxOutput: 16_384, toolPrompt: 10 },
  'gpt-4o-mini': { input: 0.15, read: 0.075, output: 0.6, window: 128_000, maxOutput: 16_384, toolPrompt: 10 },
  'o3': { input: 2, read: 0.5, output: 8, window: 200_000, maxOutput: 100_000, toolPrompt: 13 },
  'o4-mini': { input: 1.1, read: 0.275, output: 4.4, window: 200_000, maxOutput: 100_000, toolPrompt: 13 },
  'o3-mini': { input: 1.1, read: 0.55, output: 4.4, window: 200_000, maxOutput: 100_000, toolPrompt: 13 },
  'o1': { input: 15, read: 7.5, output: 60, window: 200_000, maxOutput: 100_000, toolPrompt: 13 },
  'gpt-4-turbo': { input: 10, output: 30, window: 128_000, maxOutput: 4096, encoding: 'cl100k_base', toolPrompt: 9 },
  'gpt-4': { input: 30, output: 60, window: 8192, maxOutput: 4096, encoding: 'cl100k_base', toolPrompt: 9 },
  'gpt-3.5-turbo': { input: 0.5, output: 1.5, window: 16_385, maxOutput: 4096, encoding: 'cl100k_base', toolPrompt: 9 },
}

const TOOL_PROMPT_TOKENS = 18

export const openaiModels: readonly ModelFacts[] = Object.entries(rows).map(([id, row]) => ({
  id,
  provider: 'openai',
  windowTokens: row.window ?? 1_050_000,
  maxOutputTokens: row.maxOutput ?? 128_000,
  encoding: row.encoding ?? 'o200k_base',
  countFactor: 1,
  toolPrompt: { auto: row.toolPrompt ?? TOOL_PROMPT_TOKENS, forced: (row.toolPrompt ?? TOOL_PROMPT_TOKENS) + 5 },
  cache: row.breakpoints === true ? openaiBreakpoints : openaiPrefix,
  prices: prices(row),
}))

function prices(row: OpenaiRow): ModelPrices {
  const list = priceList(row)
  if (row.longTier !== true) return list
  const long = priceList({ ...row, input: row.input * 2, output: row.output * 1.5, ...doubledRead(row) })
  return { ...list, tiers: [{ aboveInputTokens: LONG_INPUT_TOKENS, ...long }] }
}

function doubledRead({ read }: OpenaiRow): { readonly read?: number } {
  return read === undefined ? {} : { read: read * 2 }
}

function priceList({ input, output, read, breakpoints }: OpenaiRow): PriceList {
  return {
    input,
    output: dollars(output),
    ...(read === undefined ? {} : { cacheRead: dollars(read) }),
    ...(breakpoints === true
      ? { cacheWrite: dollars(input * WRITE_SHARE), cacheWriteLong: dollars(input * WRITE_LONG_SHARE) }
      : {}),
  }
}
