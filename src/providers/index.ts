export { cacheModelFor } from './cache/cache-model.ts'
export type { CacheBlock } from './cache/rules.ts'
export { costOf } from './cache/cost.ts'
export { refreshesThatPay } from './cache/refreshes.ts'
export { simulatedProvider } from './simulator/simulated-provider.ts'
export type { SimulatedProvider, SimulatedProviderOptions } from './simulator/simulated-provider.ts'
export { manualClock, realClock } from './simulator/clock.ts'
export type { ManualClock, SimulationClock } from './simulator/clock.ts'
export type { SimulatedServer } from './simulator/listen.ts'
export type { SimulatedRequest, RequestState } from './simulator/record.ts'
export type { AnswerPart, Fault, Script, ScriptEntry, ScriptedAnswer } from './simulator/script.ts'
export { permittingText } from './simulator/scripted/permitting-options.ts'
export { playMemory } from './simulator/scripted/play-memory.ts'
export { scriptFrom } from './simulator/scripted/play-script.ts'
export { timeoutError } from './transport/transport-error.ts'
export { fetchUpstream } from './transport/fetch-upstream.ts'
export { connectionOptions, framingHeaders, hopByHopHeaders } from './transport/hop-by-hop.ts'
export { defaultTimeouts } from './transport/upstream.ts'
export type { Upload, Upstream, UpstreamReply } from './transport/upstream.ts'
export {
  compatibleServers,
  knownEndpoint,
  localServers,
  namesVendors,
  providerAddress,
  providerEndpoints,
  providerNames,
  sessionHeader,
  spokenBy,
  usageOfStreams,
} from './transport/endpoints.ts'
export type { ProviderName, SpokenAt, StreamUsageAsked } from './transport/endpoints.ts'
export type { CountTokens } from './simulator/dialect.ts'
