export type { TokenVocabulary } from './bpe/token-vocabulary.ts'
export {
  type Calibration,
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
  tokenizerModes,
} from './catalogue/catalogue.ts'
export { vendorOf } from './catalogue/family-defaults.ts'
export type {
  CacheKind,
  CacheRules,
  ModelInfo,
  ModelPrices,
  LargerWindow,
  ToolPromptTokens,
} from './catalogue/model-info.ts'
export { cacheKinds, providerFamilies } from './catalogue/model-info.ts'
export { dearestPrices } from './catalogue/dearest-prices.ts'
export { cachePricesOf, priceOf } from './catalogue/price-of.ts'
export { plausibleUsage } from './plausible-usage.ts'
export { PROVIDER_RULES_AS_OF } from './catalogue/provider-rules.ts'
export { type EncodingId, encodingIds, encodingTokenizer } from './encoding.ts'
export { heuristicTokenizer } from './heuristic-tokenizer.ts'
export { memoCounter } from './memo-counter.ts'
export { conversationOverhead } from './overhead/conversation-overhead.ts'
export type { ConversationShape } from './overhead/conversation-overhead.ts'
export { requestOverhead } from './overhead/request-overhead.ts'
export { toolIn } from './overhead/tool-tokens.ts'
export type { RequestOverhead, RequestShape } from './overhead/request-shape.ts'
export { forgetfulTokenizer, tokenizerFor, tokenizerNamed, tokenizerOf } from './tokenizer-for.ts'
export { vocabularyTokenizer } from './vocabulary-tokenizer.ts'
export { mediaTokens } from './media/media-tokens.ts'
