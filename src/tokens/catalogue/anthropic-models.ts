import { anthropicBreakpoints } from './cache-rules.ts'
import { dollars } from './dollars.ts'
import type { ModelFacts, ModelPrices, PriceList, ToolPromptTokens } from './model-info.ts'

/** Counts in the published vocabulary, which is that of Claude 2, fall short of the two later tokenizers by these. */
export const CLAUDE_FACTOR_TO_4_6 = 1.1
export const CLAUDE_FACTOR_SINCE_4_7 = 1.43

interface ClaudeRow {
  readonly input: number
  readonly output: number
  /** Price of a cache read over that of input; 0.1 unless said otherwise. */
  readonly readShare?: number
  readonly long?: { readonly above: number; readonly input: number; readonly output: number }
  readonly window?: number
  readonly maxOutput?: number
  readonly minTokens: number
  readonly toolPrompt: readonly [auto: number, forced: number]
  readonly older?: boolean
}

const MILLION = 1_000_000

/**
 * Sources: Anthropic's pages on models, pricing, prompt caching and tool use, August to November 2026.
 * Not confirmed: tool prompts of Fable, Mythos and the 5.5 generation (taken from Opus 5), minimum of Haiku 5.5.
 */
const rows: { readonly [id: string]: ClaudeRow } = {
  'claude-opus-5-5': { input: 4, output: 20, readShare: 0.05, minTokens: 512, toolPrompt: [286, 406] },
  'claude-sonnet-5-5': { input: 2, output: 10, readShare: 0.05, minTokens: 512, toolPrompt: [354, 474] },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    long: { above: 100_000, input: 0.5, output: 2.5 },
    minTokens: 4096,
    toolPrompt: [354, 474],
  },
  'claude-fable-5-1': { input: 10, output: 50, readShare: 0.025, minTokens: 512, toolPrompt: [286, 406] },
  'claude-mythos-5-1': { input: 10, output: 50, readShare: 0.025, minTokens: 512, toolPrompt: [286, 406] },
  'claude-fable-5': { input: 10, output: 50, minTokens: 512, toolPrompt: [286, 406] },
  'claude-mythos-5': { input: 10, output: 50, minTokens: 512, toolPrompt: [286, 406] },
  'claude-opus-5': { input: 5, output: 25, minTokens: 512, toolPrompt: [286, 406] },
  'claude-opus-4-8': { input: 5, output: 25, minTokens: 1024, toolPrompt: [290, 410] },
  'claude-opus-4-7': { input: 5, output: 25, minTokens: 2048, toolPrompt: [675, 804] },
  'claude-opus-4-6': { input: 5, output: 25, minTokens: 4096, toolPrompt: [497, 589], older: true },
  'claude-opus-4-5': {
    input: 5,
    output: 25,
    window: 200_000,
    maxOutput: 64_000,
    minTokens: 4096,
    toolPrompt: [496, 588],
    older: true,
  },
  'claude-opus-4-1': {
    input: 15,
    output: 75,
    window: 200_000,
    maxOutput: 32_000,
    minTokens: 1024,
    toolPrompt: [313, 315],
    older: true,
  },
  'claude-opus-4': {
    input: 15,
    output: 75,
    window: 200_000,
    maxOutput: 32_000,
    minTokens: 1024,
    toolPrompt: [313, 315],
    older: true,
  },
  'claude-sonnet-5': { input: 2, output: 10, minTokens: 1024, toolPrompt: [354, 474] },
  'claude-sonnet-4-6': { input: 3, output: 15, minTokens: 1024, toolPrompt: [497, 589], older: true },
  'claude-sonnet-4-5': {
    input: 3,
    output: 15,
    window: 200_000,
    maxOutput: 64_000,
    minTokens: 1024,
    toolPrompt: [496, 588],
    older: true,
  },
  'claude-sonnet-4': {
    input: 3,
    output: 15,
    window: 200_000,
    maxOutput: 64_000,
    minTokens: 1024,
    toolPrompt: [313, 315],
    older: true,
  },
  'claude-haiku-4-5': {
    input: 1,
    output: 5,
    window: 200_000,
    maxOutput: 64_000,
    minTokens: 4096,
    toolPrompt: [496, 588],
    older: true,
  },
  'claude-3-7-sonnet': {
    input: 3,
    output: 15,
    window: 200_000,
    maxOutput: 64_000,
    minTokens: 1024,
    toolPrompt: [313, 315],
    older: true,
  },
  'claude-3-5-haiku': {
    input: 0.8,
    output: 4,
    window: 200_000,
    maxOutput: 8192,
    minTokens: 2048,
    toolPrompt: [264, 355],
    older: true,
  },
}

export const anthropicModels: readonly ModelFacts[] = Object.entries(rows).map(([id, row]) => ({
  id,
  provider: 'anthropic',
  windowTokens: row.window ?? MILLION,
  maxOutputTokens: row.maxOutput ?? 128_000,
  encoding: 'claude',
  countFactor: row.older === true ? CLAUDE_FACTOR_TO_4_6 : CLAUDE_FACTOR_SINCE_4_7,
  toolPrompt: toolPrompt(row),
  cache: anthropicBreakpoints(row.minTokens),
  prices: prices(row),
}))

function toolPrompt({ toolPrompt: [auto, forced] }: ClaudeRow): ToolPromptTokens {
  return { auto, forced }
}

function prices(row: ClaudeRow): ModelPrices {
  const list = priceList(row.input, row.output, row.readShare)
  if (row.long === undefined) return list
  const { above, input, output } = row.long
  return { ...list, tiers: [{ aboveInputTokens: above, ...priceList(input, output, row.readShare) }] }
}

/** Writing costs 1.25 times the input for five minutes and twice the input for an hour, on every model. */
function priceList(input: number, output: number, readShare = 0.1): PriceList {
  return {
    input,
    output,
    cacheRead: dollars(input * readShare),
    cacheWrite: dollars(input * 1.25),
    cacheWriteLong: dollars(input * 2),
  }
}
