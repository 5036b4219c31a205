import {
  cachePricesOf,
  conversationOverhead,
  encodingTokenizer,
  forgetfulTokenizer,
  shippedCatalogue,
} from '../tokens/index.ts'
import { invalidInput } from '../core/index.ts'
import { plainCache } from './cache-bill.ts'
import { bareOverhead } from './counting.ts'
import { providerCache } from './provider-cache.ts'
import type { CachePrices, Tokenizer } from '../core/index.ts'
import type { Overhead } from '../sessions/index.ts'
import type { ModelCatalogue, ModelInfo } from '../tokens/index.ts'
import type { BillingCache } from './cache-bill.ts'

/** Price and cache rules that a replay can bill by. */
export interface BillingRules {
  readonly name: string
  /** What a strategy may know of them. */
  readonly prices: CachePrices
  /** Remembers nothing. */
  readonly tokenizer: Tokenizer
  /** What a request costs beside its items. */
  readonly overhead: Overhead
  /** Price of a million plain input tokens; absent for rules that belong to no model. */
  readonly inputDollars?: number
  /** Of a token that the model writes, in multiples of the plain input price. */
  readonly outputPrice: number
  /** Opens an empty cache that bills by these rules. */
  openCache(): BillingCache
}

/** Replaces what the rules would charge, in multiples of the plain input price. */
export type PriceOverrides = Partial<Pick<CachePrices, 'read' | 'write'>>

/** Lifetime of an entry that never ends; a number that JSON can carry. */
const foreverMs = Number.MAX_SAFE_INTEGER

/** What most models of most providers charge. */
const usualOutputPrice = 5

/** The model that stands for each provider; the recorded runs of deepseek-chat were billed by its prices. */
const modelOf = {
  anthropic: 'claude-sonnet-5',
  openai: 'gpt-5.6-sol',
  deepseek: 'deepseek-chat',
  google: 'gemini-3.5-flash',
} as const

export type BillingProvider = keyof typeof modelOf
export const billingProviders = Object.keys(modelOf) as readonly BillingProvider[]

/** The plain rule by name, with what each changes in its prices: some models sell cache reads at less than a tenth of the input price. */
const plainPrices = {
  'plain': {},
  'reads-at-30th': { read: 1 / 30 },
  'reads-at-50th': { read: 1 / 50 },
} as const satisfies Readonly<Record<string, PriceOverrides>>

export type BillingRuleName = keyof typeof plainPrices | BillingProvider
/** All rules that have a name: the plain ones, then those of providers. */
export const billingRuleNames: readonly BillingRuleName[] = [
  ...(Object.keys(plainPrices) as (keyof typeof plainPrices)[]),
  ...billingProviders,
]

/** The rules of that name; `overrides` go before its prices. */
export function namedRules(name: BillingRuleName, overrides: PriceOverrides = {}): BillingRules {
  return isPlain(name)
    ? { ...plainRules({ ...plainPrices[name], ...overrides }), name }
    : providerRules(name, overrides)
}

function isPlain(name: BillingRuleName): name is keyof typeof plainPrices {
  return Object.hasOwn(plainPrices, name)
}

/** The rule of thumb: leading messages that came again cost `read`, all else `write`, with no minimum and no end. */
export function plainRules({ read = 0.1, write = 1 }: PriceOverrides = {}): BillingRules {
  const prices = { read, write, minTokens: 0, ttlMs: foreverMs }
  const tokenizer = encodingTokenizer('o200k_base')
  const overhead = bareOverhead(tokenizer.count)
  return {
    name: 'plain',
    prices,
    tokenizer,
    overhead,
    outputPrice: usualOutputPrice,
    openCache: () => plainCache(prices),
  }
}

/** The rules of a real provider, with its cache simulated. */
export function providerRules(provider: BillingProvider, overrides: PriceOverrides = {}): BillingRules {
  return rulesOf(provider, shippedCatalogue.info(modelOf[provider]), overrides)
}

export interface ModelRuleOptions extends PriceOverrides {
  readonly catalogue?: ModelCatalogue
}

/** The rules of one model; fails for a model whose prices nobody knows. */
export function modelRules(model: string, options: ModelRuleOptions = {}): BillingRules {
  const { catalogue = shippedCatalogue, ...overrides } = options
  return rulesOf(model, catalogue.info(model), overrides)
}

/** The rules of the model that recorded traffic names; the plain ones where it names none, or its rules or prices are not known. */
export function tracedRules(model: string | undefined, overrides: PriceOverrides = {}): BillingRules {
  const info = model === undefined ? undefined : shippedCatalogue.info(model)
  const prices = info && cachePricesOf(info)
  const isKnown = info && prices && providerCache(info.cache, prices) !== undefined
  return isKnown && model !== undefined ? rulesOf(model, info, overrides) : plainRules(overrides)
}

function rulesOf(name: string, info: ModelInfo, overrides: PriceOverrides): BillingRules {
  const known = cachePricesOf(info)
  const prices = known && { ...known, ...overrides }
  const open = (): BillingCache | undefined => prices && providerCache(info.cache, prices)
  if (prices === undefined || open() === undefined) {
    const remedy = `Use one of ${Object.values(modelOf).join(', ')}, or leave it out`
    throw invalidInput('model', `the cache rules or prices of ${info.id} are not known`, remedy)
  }
  const overhead: Overhead = (shape) => conversationOverhead(shape, info)
  const inputDollars = info.prices === undefined ? {} : { inputDollars: info.prices.input }
  const outputPrice = info.prices === undefined ? usualOutputPrice : info.prices.output / info.prices.input
  return {
    name,
    prices,
    tokenizer: forgetfulTokenizer(info),
    overhead,
    outputPrice,
    ...inputDollars,
    openCache: () => open() ?? plainCache(prices),
  }
}
