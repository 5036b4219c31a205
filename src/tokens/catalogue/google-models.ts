import { googleImplicit } from './cache-rules.ts'
import type { ModelFacts, PriceList } from './model-info.ts'

interface GoogleRow {
  readonly input: number
  readonly output: number
  readonly read: number
  /** Prices of a request with more than 200,000 input tokens. */
  readonly long?: PriceList
  readonly minTokens: number
}

/** Text counted in o200k_base falls this much short of Gemini's own vocabulary. */
export const GEMINI_FACTOR = 1.08

/**
 * Sources: Google's caching guide and genai-prices, July to November 2026. Text prices only.
 * Flash-Lite has no stated minimum and takes that of Flash. What is kept by name costs $1 for a million tokens and an hour,
 * $4.50 on Pro; half a dollar on 3.8 Flash until the end of 2026.
 */
const rows: { readonly [id: string]: GoogleRow } = {
  'gemini-3.8-flash': { input: 0.75, read: 0.075, output: 3.75, minTokens: 4096 },
  'gemini-3.7-flash': { input: 0.75, read: 0.075, output: 3.75, minTokens: 4096 },
  'gemini-3.6-flash': { input: 0.75, read: 0.075, output: 3.75, minTokens: 4096 },
  'gemini-3.5-flash': { input: 1.5, read: 0.15, output: 9, minTokens: 4096 },
  'gemini-3.1-pro': {
    input: 2,
    read: 0.2,
    output: 12,
    long: { input: 4, cacheRead: 0.4, output: 18 },
    minTokens: 4096,
  },
  'gemini-3-flash': { input: 0.5, read: 0.05, output: 3, minTokens: 4096 },
  'gemini-2.5-pro': {
    input: 1.25,
    read: 0.125,
    output: 10,
    long: { input: 2.5, cacheRead: 0.25, output: 15 },
    minTokens: 2048,
  },
  'gemini-2.5-flash': { input: 0.3, read: 0.03, output: 2.5, minTokens: 2048 },
  'gemini-2.5-flash-lite': { input: 0.1, read: 0.01, output: 0.4, minTokens: 2048 },
}

export const googleModels: readonly ModelFacts[] = Object.entries(rows).map(([id, row]) => ({
  id,
  provider: 'google',
  windowTokens: 1_048_576,
  maxOutputTokens: 65_536,
  encoding: 'o200k_base',
  countFactor: GEMINI_FACTOR,
  toolPrompt: { auto: 0, forced: 0 },
  cache: googleImplicit(row.minTokens),
  prices: {
    input: row.input,
    output: row.output,
    cacheRead: row.read,
    cacheStorage: id.endsWith('-pro') ? 4.5 : 1,
    ...(row.long === undefined ? {} : { tiers: [{ aboveInputTokens: 200_000, ...row.long }] }),
  },
}))
