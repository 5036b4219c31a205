export { cacheModel, cacheModelFrom } from './cache/cache-model.ts'
export type { CacheKind, CacheModel, CacheRuleOptions, MissOptions, OpenedRequest } from './cache/cache-model.ts'
export type {
  CacheBill,
  CacheBlock,
  CacheChange,
  CacheEntry,
  CacheLookup,
  CacheRequest,
  CacheRules,
  CacheState,
} from './cache/rules.ts'
export { costOf } from './cache/cost.ts'
export type { CostRates } from './cache/cost.ts'
