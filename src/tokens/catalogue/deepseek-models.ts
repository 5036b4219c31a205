import { deepseekUnits } from './cache-rules.ts'
import type { ModelFacts } from './model-info.ts'

interface DeepseekRow {
  readonly input: number
  readonly read: number
  readonly output: number
  readonly window: number
  readonly maxOutput: number
}

/** Measured on 10,000 recorded requests: text counted in o200k_base falls 5% short of DeepSeek's own vocabulary. */
export const DEEPSEEK_FACTOR = 1.05
/** Measured on the first requests of the same runs, less the one tool they offer. */
export const DEEPSEEK_TOOL_PROMPT = 235

/**
 * Sources: DeepSeek's pricing page and genai-prices, autumn 2026, peak hours (off peak is half); for `deepseek-chat`
 * and `deepseek-reasoner` the bills of recorded runs of April 2026, which these prices explain to the cent.
 */
const rows: { readonly [id: string]: DeepseekRow } = {
  'deepseek-v4-pro': { input: 1.32, read: 0.044, output: 3.96, window: 1_000_000, maxOutput: 384_000 },
  'deepseek-v4-flash': { input: 0.44, read: 0.014, output: 1.32, window: 1_000_000, maxOutput: 384_000 },
  'deepseek-flash': { input: 0.3, read: 0.006, output: 1.2, window: 1_000_000, maxOutput: 384_000 },
  'deepseek-chat': { input: 0.28, read: 0.028, output: 0.42, window: 131_072, maxOutput: 8192 },
  'deepseek-reasoner': { input: 0.28, read: 0.028, output: 0.42, window: 131_072, maxOutput: 65_536 },
}

export const deepseekModels: readonly ModelFacts[] = Object.entries(rows).map(([id, row]) => ({
  id,
  provider: 'deepseek',
  windowTokens: row.window,
  maxOutputTokens: row.maxOutput,
  encoding: 'o200k_base',
  countFactor: DEEPSEEK_FACTOR,
  toolPrompt: { auto: DEEPSEEK_TOOL_PROMPT, forced: DEEPSEEK_TOOL_PROMPT },
  cache: deepseekUnits,
  prices: { input: row.input, cacheRead: row.read, output: row.output },
}))
