import { alibabaBreakpoints } from './cache-rules.ts'
import { dollars } from './dollars.ts'
import type { ModelFacts, PriceTier } from './model-info.ts'

interface QwenRow {
  readonly input: number
  readonly output: number
  /** Input tokens above which both prices are others. */
  readonly tiers: readonly (readonly [aboveInputTokens: number, input: number, output: number])[]
  readonly window?: number
  readonly maxOutput?: number
}

/**
 * Sources: Alibaba's context cache guide (June 2026) and models.dev, international prices. Models that Alibaba serves and
 * nobody else, and that take marks; what is marked costs a quarter more to write and a tenth to read. What is cached
 * unasked cannot be counted on, and is not cached besides in a request that has marks.
 */
const rows: { readonly [id: string]: QwenRow } = {
  'qwen3.7-plus': { input: 0.4, output: 1.6, tiers: [[256_000, 1.2, 4.8]] },
  'qwen3.6-plus': { input: 0.5, output: 3, tiers: [[256_000, 2, 6]] },
  'qwen3.5-plus': { input: 0.4, output: 2.4, tiers: [[256_000, 0.5, 3]] },
  'qwen3-max': {
    input: 1.2,
    output: 6,
    tiers: [
      [32_000, 2.4, 12],
      [128_000, 3, 15],
    ],
    window: 262_144,
  },
  'qwen3-coder-plus': {
    input: 1,
    output: 5,
    tiers: [
      [32_000, 1.8, 9],
      [128_000, 3, 15],
      [256_000, 6, 60],
    ],
  },
  'qwen3-coder-flash': {
    input: 0.3,
    output: 1.5,
    tiers: [
      [32_000, 0.5, 2.5],
      [128_000, 0.8, 4],
      [256_000, 1.6, 9.6],
    ],
  },
  'qwen-plus': { input: 0.4, output: 1.2, tiers: [[256_000, 1.2, 3.6]], maxOutput: 32_768 },
}

export const qwenModels: readonly ModelFacts[] = Object.entries(rows).map(([id, row]) => ({
  id,
  provider: 'other',
  windowTokens: row.window ?? 1_000_000,
  maxOutputTokens: row.maxOutput ?? 65_536,
  encoding: 'cl100k_base',
  countFactor: 1,
  toolPrompt: { auto: 100, forced: 100 },
  cache: alibabaBreakpoints,
  prices: {
    ...pricesOf(row.input, row.output),
    tiers: row.tiers.map(([aboveInputTokens, input, output]): PriceTier => {
      return { aboveInputTokens, ...pricesOf(input, output) }
    }),
  },
}))

function pricesOf(input: number, output: number) {
  return { input, output, cacheRead: dollars(input / 10), cacheWrite: dollars(input * 1.25) }
}
