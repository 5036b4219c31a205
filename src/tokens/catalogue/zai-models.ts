import { zaiPrefix } from './cache-rules.ts'
import { UNKNOWN_FACTOR } from './model-info.ts'
import type { ModelFacts } from './model-info.ts'

interface ZaiRow {
  readonly input: number
  readonly read: number
  readonly output: number
  readonly window: number
}

/**
 * Sources: models.dev and OpenRouter's list, autumn 2026; what Z.ai charges in dollars. The price database has what is charged
 * in China.
 */
const rows: { readonly [id: string]: ZaiRow } = {
  'glm-5.3': { input: 1.4, read: 0.26, output: 4.4, window: 1_000_000 },
  'glm-5.2': { input: 1.4, read: 0.26, output: 4.4, window: 1_000_000 },
  'glm-5.1': { input: 1.4, read: 0.26, output: 4.4, window: 200_000 },
  'glm-5-turbo': { input: 1.2, read: 0.24, output: 4, window: 200_000 },
  'glm-5': { input: 1, read: 0.2, output: 3.2, window: 200_000 },
  'glm-4.7': { input: 0.6, read: 0.11, output: 2.2, window: 204_800 },
  'glm-4.6': { input: 0.6, read: 0.11, output: 2.2, window: 204_800 },
}

export const zaiModels: readonly ModelFacts[] = Object.entries(rows).map(([id, row]) => ({
  id,
  provider: 'other',
  windowTokens: row.window,
  maxOutputTokens: 131_072,
  encoding: 'o200k_base',
  countFactor: UNKNOWN_FACTOR,
  toolPrompt: { auto: 100, forced: 100 },
  cache: zaiPrefix,
  prices: { input: row.input, cacheRead: row.read, output: row.output },
}))
