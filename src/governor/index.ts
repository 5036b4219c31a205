export { guidelinesFor } from '../core/index.ts'
export { deltaCompressor } from './delta-compressor.ts'
export type {
  CompressedRun,
  CompressorState,
  DeltaCompressor,
  DeltaCompressorOptions,
  DeltaFrame,
  FullCause,
  FullFrame,
  Segment,
  SegmentFrame,
  SegmentRun,
} from './delta-compressor.ts'
export { countGuidelines, guidelinePrompt, learnGuideline } from './learn-guideline.ts'
export type { CompressionFailure, LearnOptions } from './learn-guideline.ts'
export { fastHash } from './fast-hash.ts'
export { openGovernor } from './open-governor.ts'
export type {
  AssembledCall,
  CandidateQuery,
  Governor,
  GovernorOptions,
  Invocation,
  RetrievalLimits,
  TurnRecord,
} from './open-governor.ts'
export { groupWorkspace, workspaceGroups, workspaceOf } from './workspace.ts'
export type {
  Chosen,
  GroupedWorkspace,
  Workspace,
  WorkspaceCategory,
  WorkspaceEntry,
  WorkspaceGroup,
} from './workspace.ts'
export { applyDelta, isEmptyDelta, workspaceDelta } from './workspace-delta.ts'
export type { WorkspaceDelta } from './workspace-delta.ts'
