import type { ModelInfo } from './model-info.ts'
import { anthropicModels } from './anthropic-models.ts'
import { deepseekModels } from './deepseek-models.ts'
import { googleModels } from './google-models.ts'
import { openaiModels } from './openai-models.ts'
import { qwenModels } from './qwen-models.ts'
import { xaiModels } from './xai-models.ts'
import { zaiModels } from './zai-models.ts'

/** The day up to which the tables below were compared with what the providers publish. */
export const PROVIDER_RULES_AS_OF = '2026-11-21'

const tables = [anthropicModels, openaiModels, googleModels, deepseekModels, qwenModels, xaiModels, zaiModels]

/** Windows, prices, cache rules and encodings by model, as facts with a date: providers change them every few weeks. */
export const providerRules: ReadonlyMap<string, ModelInfo> = new Map(
  tables.flat().map((model) => [model.id, { ...model, known: true, priceSource: 'rules', asOf: PROVIDER_RULES_AS_OF }]),
)
