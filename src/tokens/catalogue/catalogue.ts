import { callable, objectLike, shape } from '../../core/index.ts'
import { type TokenVocabulary, vocabularyIds } from '../bpe/token-vocabulary.ts'
import { type EncodingId, encodingIds } from '../encoding.ts'
import { isShipped, keepVocabulary } from '../vocabulary-of.ts'
import { usualCacheRules } from './cache-rules.ts'
import { familyDefaults } from './family-defaults.ts'
import {
  type CacheRules,
  type LargerWindow,
  type ModelInfo,
  type ProviderFamily,
  providerFamilies,
} from './model-info.ts'
import { datedName, modelName } from './model-name.ts'
import { listedModel } from './listed-model.ts'
import { providerRules } from './provider-rules.ts'

/** What a caller knows better of a model. What is left out is as we know the model, or as its family has it. */
export interface ModelSettings extends Partial<
  Omit<ModelInfo, 'id' | 'known' | 'priceSource' | 'asOf' | 'provider' | 'cache'>
> {
  /** Whose habits the model has: how it is framed, cached and shown tools. */
  readonly family?: ProviderFamily
  readonly cache?: Partial<CacheRules>
}

export const tokenizerModes = ['exact', 'heuristic'] as const
/** `exact` counts with vocabularies, `heuristic` estimates without any. */
export type TokenizerMode = (typeof tokenizerModes)[number]

/** Options of `modelCatalogue`. */
export interface CatalogueOptions {
  /** By model as it is asked for, or by its plain name. */
  readonly models?: { readonly [model: string]: ModelSettings }
  readonly tokenizer?: TokenizerMode
  /** Whether requests ask for the `largerWindow` of models that have one; if so, it is their window. False by default. */
  readonly largestWindow?: boolean
  /** Those that cannot be read from the package, as in a browser or a bundle; `prehend/vocabularies/…` have them. */
  readonly vocabularies?: readonly TokenVocabulary[]
  /** Whether an encoding can be counted with here; what cannot is estimated. Unless told: what was handed in or lies in the package. */
  readonly canCount?: (encoding: EncodingId) => boolean
}

/** What is known of models: a value that is handed to whoever asks. */
export interface ModelCatalogue {
  /** Never throws: what no table knows gets its family's habits; `known` and `priceSource` tell which it was. */
  info(model: string): ModelInfo
}

const MAX_REMEMBERED_MODELS = 1000

const { count, flag, list, object, oneOf, optional, positive, record, text } = shape

const settingsShape = object<ModelSettings>({
  family: optional(oneOf(providerFamilies)),
  windowTokens: optional(shape.countFrom(1)),
  largerWindow: optional(
    object<LargerWindow>({ windowTokens: shape.countFrom(1), header: object({ name: text, value: text }) }),
  ),
  maxOutputTokens: optional(count),
  encoding: optional(oneOf(encodingIds)),
  countFactor: optional(positive),
  toolPrompt: optional(objectLike()),
  cache: optional(objectLike()),
  prices: optional(objectLike()),
})

const optionsShape = object<CatalogueOptions>({
  models: optional(record(settingsShape)),
  tokenizer: optional(oneOf(tokenizerModes)),
  largestWindow: optional(flag),
  vocabularies: optional(
    list(object<TokenVocabulary>({ id: oneOf(vocabularyIds), text, lengths: text, parts: list(text) })),
  ),
  canCount: optional(callable()),
})

/**
 * Makes the look-up of models: the caller's settings first, then our own table, then the price database, then the family's habits.
 *
 * ```ts
 * import { modelCatalogue } from 'prehend'
 *
 * const catalogue = modelCatalogue({ models: { 'acme-7b': { windowTokens: 32_000 } } })
 * console.log(catalogue.info('acme-7b').windowTokens)
 * ```
 */
export function modelCatalogue(options: CatalogueOptions = {}): ModelCatalogue {
  shape.check(optionsShape, options, 'options')
  const { models = {}, tokenizer = 'exact', vocabularies = [], largestWindow = false } = options
  for (const vocabulary of vocabularies) keepVocabulary(vocabulary)
  const { canCount = countsBy(vocabularies) } = options
  const remembered = new Map<string, ModelInfo>()
  return {
    info(model) {
      const known = remembered.get(model)
      if (known !== undefined) return known
      if (remembered.size >= MAX_REMEMBERED_MODELS) remembered.clear()
      const exact = withWindow(infoOf(models, model), largestWindow)
      const info = tokenizer === 'exact' && canCount(exact.encoding) ? exact : estimated(exact)
      remembered.set(model, info)
      return info
    },
  }
}

function countsBy(vocabularies: readonly TokenVocabulary[]): (encoding: EncodingId) => boolean {
  const handedIn = new Set<EncodingId>(vocabularies.map(({ id }) => id))
  return (encoding) => encoding === 'heuristic' || handedIn.has(encoding) || isShipped(encoding)
}

/** What the product comes with. */
export const shippedCatalogue: ModelCatalogue = modelCatalogue()

function withWindow({ largerWindow, ...info }: ModelInfo, isAskedFor: boolean): ModelInfo {
  if (largerWindow === undefined || !isAskedFor) return info
  return { ...info, windowTokens: largerWindow.windowTokens, largerWindow }
}

type Models = NonNullable<CatalogueOptions['models']>

function infoOf(models: Models, model: string): ModelInfo {
  const name = modelName(model)
  const settings = own(models, model) ?? own(models, datedName(model)) ?? own(models, name)
  const found = providerRules.get(name) ?? unlisted(name, datedName(model), settings?.family)
  return settings === undefined ? found : settled(found, settings)
}

function own(models: Models, model: string): ModelSettings | undefined {
  return Object.hasOwn(models, model) ? models[model] : undefined
}

function unlisted(name: string, dated: string, family: ProviderFamily | undefined): ModelInfo {
  const defaults = { id: name, known: false, ...familyDefaults(name, family) }
  const listed = listedModel(name) ?? listedModel(dated)
  return listed === undefined
    ? { ...defaults, priceSource: 'unknown' }
    : { ...defaults, ...listed, priceSource: 'genai-prices' }
}

function settled(found: ModelInfo, { family = found.provider, cache, ...given }: ModelSettings): ModelInfo {
  const base = family === found.provider ? found : { ...found, ...familyDefaults(found.id, family) }
  const windowTokens = given.windowTokens ?? base.windowTokens
  return {
    ...base,
    // Another vocabulary has no use for the factor of the old one.
    ...(given.encoding !== undefined && given.encoding !== base.encoding && { countFactor: 1 }),
    ...given,
    windowTokens,
    maxOutputTokens: given.maxOutputTokens ?? Math.min(base.maxOutputTokens, windowTokens),
    cache: cacheOf(base.cache, cache),
    known: true,
    priceSource: given.prices === undefined ? base.priceSource : 'caller',
  }
}

function cacheOf(base: CacheRules, given: Partial<CacheRules> = {}): CacheRules {
  const { kind = base.kind } = given
  return { ...(kind === base.kind ? base : usualCacheRules[kind]), ...given }
}

/** What the estimate, which was fitted to o200k_base, falls short of the other vocabularies on the texts of `bench/token-corpora.ts`. */
const heuristicFactors: { readonly [Id in EncodingId]: number } = {
  o200k_base: 1,
  cl100k_base: 1,
  claude: 1.08,
  heuristic: 1,
}

function estimated(info: ModelInfo): ModelInfo {
  const factor = info.countFactor * heuristicFactors[info.encoding]
  return { ...info, encoding: 'heuristic', countFactor: Math.round(factor * 100) / 100 }
}
