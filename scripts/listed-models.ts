// What src/tokens/catalogue/listed-models.ts holds: prices and windows of genai-prices, by model.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { calcPrice } from '@pydantic/genai-prices'
import type { MatchLogic, ModelPrice, TieredPrices } from '@pydantic/genai-prices'
import { PROVIDER_RULES_AS_OF } from '../src/tokens/index.ts'
import type { ModelInfo } from '../src/tokens/index.ts'

type Prices = NonNullable<ModelInfo['prices']>
type PriceTier = NonNullable<Prices['tiers']>[number]
type PriceList = Omit<Prices, 'tiers'>

interface ListedModel {
  readonly prices: Prices
  readonly windowTokens?: number
}

/**
 * Only entries that name this very model count: the database also matches by prefix, which would give a new model the
 * prices of its predecessor.
 */
function listedModel(name: string): ListedModel | undefined {
  // A fixed hour of a fixed day, as prices may depend on both: peak hours, which is the dearer reading.
  const timestamp = new Date(`${PROVIDER_RULES_AS_OF}T08:00:00Z`)
  const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, name, { timestamp })
  if (found === null || !namesOf(found.model.match).includes(name)) return undefined
  const prices = modelPrices(found.model_price)
  if (prices === undefined) return undefined
  const window = found.model.context_window
  return window === undefined ? { prices } : { prices, windowTokens: window }
}

function namesOf(match: MatchLogic): readonly string[] {
  if ('or' in match) return match.or.flatMap(namesOf)
  if ('equals' in match) return [match.equals]
  return 'starts_with' in match ? [match.starts_with] : []
}

function modelPrices(price: ModelPrice): Prices | undefined {
  const list = priceList(price, undefined)
  if (list === undefined) return undefined
  const tiers = tierStarts(price).flatMap((start): PriceTier[] => {
    const tier = priceList(price, start)
    return tier === undefined ? [] : [{ aboveInputTokens: start, ...tier }]
  })
  return tiers.length === 0 ? list : { ...list, tiers }
}

function priceList(price: ModelPrice, start: number | undefined): PriceList | undefined {
  const input = priceFrom(price['input_mtok'], start)
  const output = priceFrom(price['output_mtok'], start)
  if (input === undefined || output === undefined) return undefined
  const cacheRead = priceFrom(price['cache_read_mtok'], start)
  const cacheWrite = priceFrom(price['cache_write_mtok'], start)
  const cacheWriteLong = priceFrom(price['cache_write_1h_mtok'], start)
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(cacheWriteLong === undefined ? {} : { cacheWriteLong }),
  }
}

function priceFrom(price: number | TieredPrices | undefined, start: number | undefined): number | undefined {
  if (price === undefined || typeof price === 'number') return price
  return price.tiers.find((tier) => tier.start === start)?.price ?? price.base
}

function tierStarts(price: ModelPrice): readonly number[] {
  const starts = Object.values(price).flatMap((part) =>
    typeof part === 'object' ? part.tiers.map((tier) => tier.start) : [],
  )
  return [...new Set(starts)].toSorted((a, b) => a - b)
}

/** The database does not list its models; its own text does. */
function everyName(): readonly string[] {
  const source = readFileSync(createRequire(import.meta.url).resolve('@pydantic/genai-prices'), 'utf8')
  const names = Array.from(source.matchAll(/(?:equals|starts_with):\s*"([^"]+)"/g), ([, name = '']) => name)
  return [...new Set(names)]
}

export function listedModelsFile(): string {
  const namesByFacts = new Map<string, string[]>()
  for (const name of everyName()) {
    const model = listedModel(name)
    if (model === undefined) continue
    if (name.includes(' ')) throw new Error(`a name with a space: ${name}`)
    const facts = JSON.stringify(model)
    namesByFacts.set(facts, [...(namesByFacts.get(facts) ?? []), name])
  }
  const rows = [...namesByFacts].map(([facts, names]) => `  ${JSON.stringify([names.join(' '), JSON.parse(facts)])},`)
  return `${head}${rows.join('\n')}\n]\n`
}

const head = `import type { ListedModel } from './model-info.ts'

/** Names and facts by genai-prices. Written by \`npm run check:data -- --fix\`; do not edit. */
export const listedRows: readonly (readonly [names: string, model: ListedModel])[] = [
`
