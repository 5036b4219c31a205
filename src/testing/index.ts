/** Fakes for tests of programs that talk to a model: the simulated provider and its clock. */
export { manualClock, realClock, simulatedProvider } from '../providers/index.ts'
export type {
  AnswerPart,
  Fault,
  ManualClock,
  RecordedRequest,
  RequestState,
  Script,
  ScriptEntry,
  ScriptedAnswer,
  SimulatedProvider,
  SimulatedProviderOptions,
  SimulatedServer,
  SimulationClock,
} from '../providers/index.ts'
