export { cacheModel, cacheModelFor, cacheModelFrom } from './cache/cache-model.ts'
export type { CacheModelKind, CacheModel, CacheModelOptions, MissOptions, OpenedRequest } from './cache/cache-model.ts'
export type {
  CacheBill,
  CacheBlock,
  CacheChange,
  CacheEntry,
  CacheLookup,
  CacheRequest,
  CacheBehaviour,
  CacheState,
} from './cache/rules.ts'
export { costOf } from './cache/cost.ts'
export type { CostRates } from './cache/cost.ts'
export { simulatedProvider } from './simulator/simulated-provider.ts'
export type { SimulatedProvider, SimulatedProviderOptions } from './simulator/simulated-provider.ts'
export { manualClock, realClock } from './simulator/clock.ts'
export type { ManualClock, SimulationClock } from './simulator/clock.ts'
export type { FetchForm } from './simulator/fetch-form.ts'
export type { SimulatedServer } from './simulator/listen.ts'
export type { RecordedRequest, RequestState } from './simulator/record.ts'
export type { AnswerPart, Fault, Script, ScriptEntry, ScriptedAnswer } from './simulator/script.ts'
export { fetchUpstream } from './transport/fetch-upstream.ts'
export type { FetchUpstreamOptions } from './transport/fetch-upstream.ts'
export { defaultTimeouts } from './transport/upstream.ts'
export type { Upstream, UpstreamReply, UpstreamRequest, UpstreamTimeouts } from './transport/upstream.ts'
export { providerAddress, providerEndpoints } from './transport/endpoints.ts'
export type { ProviderAddress, ProviderEndpoint, ProviderName } from './transport/endpoints.ts'
export { planBreakpoints } from './breakpoints/plan-breakpoints.ts'
export type { BreakpointInput, PlannedBreakpoint } from './breakpoints/plan-breakpoints.ts'
export { promptCacheKey } from './breakpoints/cache-key.ts'
