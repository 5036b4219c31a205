import { familyDefaults } from './family-defaults.ts'
import type { ModelInfo } from './model-info.ts'
import { datedName, modelName } from './model-name.ts'
import { listedModel } from './price-database.ts'
import { providerRules } from './provider-rules.ts'

/** Facts that a caller knows better, by model as it is asked for or by its plain name. */
export interface ModelOverrides {
  readonly [model: string]: Partial<Omit<ModelInfo, 'id' | 'known' | 'priceSource'>>
}

export type Catalogue = (model: string) => ModelInfo

const MAX_REMEMBERED_MODELS = 1000

/**
 * Makes the look-up of models. It never throws: what is not in our own table gets the habits of its family and, where
 * the price database names it, its prices; `known` and `priceSource` tell which it was.
 */
export function modelCatalogue(overrides: ModelOverrides = {}): Catalogue {
  const remembered = new Map<string, ModelInfo>()
  return (model) => {
    const known = remembered.get(model)
    if (known !== undefined) return known
    if (remembered.size >= MAX_REMEMBERED_MODELS) remembered.clear()
    const info = overridden(overrides, model)
    remembered.set(model, info)
    return info
  }
}

/** The catalogue without overrides. */
export const modelInfo: Catalogue = modelCatalogue()

function overridden(overrides: ModelOverrides, model: string): ModelInfo {
  const name = modelName(model)
  const found = providerRules.get(name) ?? unlisted(name, datedName(model))
  const better = own(overrides, model) ?? own(overrides, name)
  if (better === undefined) return found
  return { ...found, ...better, known: true, priceSource: better.prices === undefined ? found.priceSource : 'caller' }
}

function own(overrides: ModelOverrides, model: string): ModelOverrides[string] | undefined {
  return Object.hasOwn(overrides, model) ? overrides[model] : undefined
}

function unlisted(name: string, dated: string): ModelInfo {
  const defaults = { id: name, known: false, ...familyDefaults(name) }
  const listed = listedModel(name) ?? listedModel(dated)
  return listed === undefined
    ? { ...defaults, priceSource: 'unknown' }
    : { ...defaults, ...listed, priceSource: 'genai-prices' }
}
