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
export { type Catalogue, type ModelOverrides, modelCatalogue, modelInfo } from './catalogue/catalogue.ts'
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
export { cachePricesOf, priceOf } from './catalogue/price-of.ts'
export { PROVIDER_RULES_AS_OF } from './catalogue/provider-rules.ts'
export { type EncodingId, encodingTokenizer } from './encoding.ts'
export { heuristicTokenizer } from './heuristic-tokenizer.ts'
export { type MemoOptions, memoCounter } from './memo-counter.ts'
export { requestOverhead } from './overhead/request-overhead.ts'
export type { MessageShape, RequestOverhead, RequestShape, ToolShape } from './overhead/request-shape.ts'
export { scaledTokenizer } from './scaled-tokenizer.ts'
export { tokenizerFor, tokenizerOf } from './tokenizer-for.ts'
export { parseCalibration } from './parse-calibration.ts'
