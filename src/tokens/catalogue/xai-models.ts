import { xaiPrefix } from './cache-rules.ts'
import { UNKNOWN_FACTOR } from './model-info.ts'
import type { ModelFacts } from './model-info.ts'

/** Source: models.dev, which quotes xAI's pages of September 2026. Models before it are in the price database. No limit of output but the window is stated. */
export const xaiModels: readonly ModelFacts[] = [
  {
    id: 'grok-4.7',
    provider: 'other',
    windowTokens: 500_000,
    maxOutputTokens: 125_000,
    encoding: 'o200k_base',
    countFactor: UNKNOWN_FACTOR,
    toolPrompt: { auto: 100, forced: 100 },
    cache: xaiPrefix,
    prices: {
      input: 2,
      cacheRead: 0.5,
      output: 6,
      tiers: [{ aboveInputTokens: 200_000, input: 4, cacheRead: 1, output: 12 }],
    },
  },
]
