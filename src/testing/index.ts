/** Contracts that implementations must keep, and fakes for tests of programs that talk to a model. */
export { manualClock, realClock, simulatedProvider } from '../providers/index.ts'
export type {
  AnswerPart,
  Fault,
  ManualClock,
  SimulatedRequest,
  RequestState,
  Script,
  ScriptEntry,
  ScriptedAnswer,
  SimulatedProvider,
  SimulatedProviderOptions,
  SimulatedServer,
  SimulationClock,
  CountTokens,
} from '../providers/index.ts'
export {
  codecCases,
  codecContract,
  codecProperties,
  crossingProperties,
  packOf,
  spliceTurn,
  writeReply,
} from './codec-contract/index.ts'
export type {
  CodecCases,
  CodecContractOptions,
  CodecProperty,
  Draw,
  PlainReply,
  WrittenReply,
} from './codec-contract/index.ts'
export type { ContractCase } from './contract-case.ts'
export { providerRefusals } from './strict-provider/strict-provider.ts'
export type { RefusableRequest } from './strict-provider/strict-provider.ts'
export { layerContract } from './layer-contract/index.ts'
export type { LayerUnderTest } from './layer-contract/index.ts'
export { accountOf } from '../stores/index.ts'
export { storeContract } from './store-contract/index.ts'
export { blobsContract } from './blobs-contract/index.ts'
export { passagesContract } from './passages-contract/index.ts'
export type { OpenPassages } from './passages-contract/index.ts'
export { hotContract } from './hot-contract/index.ts'
export type { HotUnderTest } from './hot-contract/index.ts'
export { withReads } from './store-contract/with-reads.ts'
export type { SomeReads } from './store-contract/with-reads.ts'
export type { OpenStore } from './store-contract/index.ts'
export type { SplicedTurn } from './codec-contract/reply-properties.ts'
