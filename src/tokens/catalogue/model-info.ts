import type { EncodingId } from '../encoding.ts'

export const providerFamilies = ['anthropic', 'openai', 'deepseek', 'google', 'other'] as const
export type ProviderFamily = (typeof providerFamilies)[number]

export function isProviderFamily(name: string): name is ProviderFamily {
  return (providerFamilies as readonly string[]).includes(name)
}

/** Dollars per million tokens. What is absent is charged as plain input. */
export interface PriceList {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  /** Written for the shortest lifetime the provider offers. */
  readonly cacheWrite?: number
  /** Written for the longest. */
  readonly cacheWriteLong?: number
}

/** A tier replaces the whole list for requests with more input tokens, cached ones included. */
export interface ModelPrices extends PriceList {
  /** For keeping a million tokens for an hour, where a provider keeps prompts by name. */
  readonly cacheStorage?: number
  readonly tiers?: readonly PriceTier[]
}

export interface PriceTier extends PriceList {
  readonly aboveInputTokens: number
}

/** What genai-prices knows of a model. */
export interface ListedModel {
  readonly prices: ModelPrices
  readonly windowTokens?: number
}

export const cacheKinds = [
  'anthropic-breakpoints',
  'openai-prefix',
  'openai-breakpoints',
  'deepseek-units',
  'google-implicit',
  'none',
] as const
export type CacheKind = (typeof cacheKinds)[number]

/** The rules of a model's prompt cache. Sizes are in tokens. */
export interface CacheRules {
  readonly kind: CacheKind
  /** Shorter prefixes are not cached. */
  readonly minTokens: number
  /** Hits grow in steps of this many tokens. */
  readonly stepTokens: number
  /** Breakpoints that one request may write; 0 where the provider takes none. */
  readonly maxBreakpoints: number
  /** Positions a lookup goes back: blocks on Anthropic, breakpoints on OpenAI. */
  readonly lookback: number
  /** Lifetimes on offer, shortest first; a lower bound where the provider does not promise one. */
  readonly ttlMs: readonly number[]
}

/** Tokens of the prompt that a provider adds by itself when a request has tools. */
export interface ToolPromptTokens {
  readonly auto: number
  /** With a tool choice of `any` or one tool. */
  readonly forced: number
}

/** A window that a provider grants only to requests that ask for it. */
export interface LargerWindow {
  readonly windowTokens: number
  /** A list of flags in a request header; the flag that asks for the window joins it. */
  readonly header: { readonly name: string; readonly value: string }
}

/** The facts about a model: its window, its prices, and how its tokens are counted. Sizes are in tokens. */
export interface ModelInfo {
  /** The model's name without route, date and variant. */
  readonly id: string
  /** False when nothing but the family could be told; the numbers are then cautious guesses. */
  readonly known: boolean
  readonly provider: ProviderFamily
  readonly windowTokens: number
  /** Present where requests must ask for `windowTokens`. */
  readonly largerWindow?: LargerWindow
  readonly maxOutputTokens: number
  readonly encoding: EncodingId
  /** What counts in `encoding` are multiplied by to meet the model's own tokenizer. */
  readonly countFactor: number
  readonly toolPrompt: ToolPromptTokens
  readonly cache: CacheRules
  /** Absent when unknown; never 0 by default. */
  readonly prices?: ModelPrices
  readonly priceSource: 'rules' | 'genai-prices' | 'caller' | 'unknown'
  /** Day on which the facts were last compared with their source. */
  readonly asOf?: string
}

/** Vocabularies nobody publishes were seen up to a quarter larger than o200k_base; a tenth is the middle. */
export const UNKNOWN_FACTOR = 1.1

/** The facts of one row of the tables, before their date and source are added. */
export type ModelFacts = Omit<ModelInfo, 'known' | 'priceSource' | 'asOf'>
