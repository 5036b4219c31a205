export {
  type Calibration,
  type Estimate,
  type ModelCalibration,
  type Observation,
  calibrated,
  emptyCalibration,
  estimateThatFits,
  observe,
  safetyMargin,
} from './calibration.ts'
export {
  type CatalogueOptions,
  type ModelCatalogue,
  type ModelSettings,
  modelCatalogue,
  shippedCatalogue,
  type TokenizerMode,
  tokenizerModes,
} from './catalogue/catalogue.ts'
export type {
  CacheKind,
  CacheRules,
  ModelInfo,
  ModelPrices,
  PriceList,
  PriceTier,
  ProviderFamily,
  ToolPromptTokens,
} from './catalogue/model-info.ts'
export { cacheKinds, providerFamilies } from './catalogue/model-info.ts'
export { cachePricesOf, priceOf } from './catalogue/price-of.ts'
export { PROVIDER_RULES_AS_OF } from './catalogue/provider-rules.ts'
export { type EncodingId, encodingIds, encodingTokenizer } from './encoding.ts'
export { heuristicTokenizer } from './heuristic-tokenizer.ts'
export { type MemoOptions, memoCounter } from './memo-counter.ts'
export { mediaTokens } from './media/media-tokens.ts'
export { type ConversationShape, conversationOverhead } from './overhead/conversation-overhead.ts'
export { requestOverhead } from './overhead/request-overhead.ts'
export type { MessageShape, RequestOverhead, RequestShape, ToolShape } from './overhead/request-shape.ts'
export { scaledTokenizer } from './scaled-tokenizer.ts'
export { tokenizerFor, tokenizerNamed, tokenizerOf } from './tokenizer-for.ts'
export { parseCalibration } from './parse-calibration.ts'
