import type { ModelInfo } from './model-info.ts'
import { anthropicModels } from './anthropic-models.ts'
import { deepseekModels } from './deepseek-models.ts'
import { googleModels } from './google-models.ts'
import { openaiModels } from './openai-models.ts'

/** The day up to which the tables below were compared with what the providers publish. */
export const PROVIDER_RULES_AS_OF = '2026-11-21'

/** Windows, prices, cache rules and encodings by model, as facts with a date: providers change them every few weeks. */
export const providerRules: ReadonlyMap<string, ModelInfo> = new Map(
  [...anthropicModels, ...openaiModels, ...googleModels, ...deepseekModels].map((model) => [
    model.id,
    { ...model, known: true, priceSource: 'rules', asOf: PROVIDER_RULES_AS_OF },
  ]),
)
