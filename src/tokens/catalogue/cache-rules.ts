import type { CacheKind, CacheRules } from './model-info.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Four markers per request, each looked up 20 blocks back, five minutes or an hour. */
export function anthropicBreakpoints(minTokens: number): CacheRules {
  const ttlMs = [5 * MINUTE, HOUR]
  return { kind: 'anthropic-breakpoints', minTokens, stepTokens: 1, maxBreakpoints: 4, lookback: 20, ttlMs }
}

/** Models before GPT-5.6: any shared prefix, in steps of 128, kept for 5 to 10 idle minutes. */
export const openaiPrefix: CacheRules = {
  kind: 'openai-prefix',
  minTokens: 1024,
  stepTokens: 128,
  maxBreakpoints: 0,
  lookback: 0,
  ttlMs: [5 * MINUTE],
}

/** GPT-5.6 and later: four breakpoints written, the latest 80 read, half an hour or twelve. */
export const openaiBreakpoints: CacheRules = {
  kind: 'openai-breakpoints',
  minTokens: 1024,
  stepTokens: 1,
  maxBreakpoints: 4,
  lookback: 80,
  ttlMs: [30 * MINUTE, 12 * HOUR],
}

/** Prefix units on disk that live for hours to days; measured as blocks of 128 with the last one withheld. */
export const deepseekUnits: CacheRules = {
  kind: 'deepseek-units',
  minTokens: 128,
  stepTokens: 128,
  maxBreakpoints: 0,
  lookback: 0,
  ttlMs: [2 * HOUR],
}

/** Automatic and without a promise; routers report three to five minutes on average. */
export function googleImplicit(minTokens: number): CacheRules {
  return { kind: 'google-implicit', minTokens, stepTokens: 1, maxBreakpoints: 0, lookback: 0, ttlMs: [3 * MINUTE] }
}

/** As Anthropic's, with a lifetime that each hit begins anew: what Alibaba caches where a request marks it. */
export const alibabaBreakpoints: CacheRules = {
  kind: 'anthropic-breakpoints',
  minTokens: 1024,
  stepTokens: 1,
  maxBreakpoints: 4,
  lookback: 20,
  ttlMs: [5 * MINUTE],
}

/** Chunks of 256, as measured; K3 is promised five minutes. */
export const moonshotPrefix: CacheRules = automaticPrefix(256)
/** Blocks of 128, as measured; on one server, which the header `x-grok-conv-id` names. Nothing is promised. */
export const xaiPrefix: CacheRules = automaticPrefix(128)
/** Blocks of 64; a `prompt_cache_key` makes hits likelier. */
export const mistralPrefix: CacheRules = automaticPrefix(64)
/** Z.ai says that it caches, and neither from what size on nor how long. */
export const zaiPrefix: CacheRules = automaticPrefix(1)

/** Any shared prefix, unasked, in whole blocks. Who does not say how long is taken at five minutes. */
function automaticPrefix(blockTokens: number): CacheRules {
  return { ...openaiPrefix, minTokens: blockTokens, stepTokens: blockTokens }
}

export const noCache: CacheRules = {
  kind: 'none',
  minTokens: 0,
  stepTokens: 1,
  maxBreakpoints: 0,
  lookback: 0,
  ttlMs: [],
}

/** The rules of a kind, where a caller names no more than the kind. */
export const usualCacheRules: { readonly [Kind in CacheKind]: CacheRules } = {
  'anthropic-breakpoints': anthropicBreakpoints(4096),
  'openai-prefix': openaiPrefix,
  'openai-breakpoints': openaiBreakpoints,
  'deepseek-units': deepseekUnits,
  'google-implicit': googleImplicit(4096),
  'none': noCache,
}
