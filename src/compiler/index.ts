export { absoluteBudget } from './budget/absolute-budget.ts'
export { compressionOf } from './budget/compression-bands.ts'
export { gateway128k } from './budget/gateway-128k.ts'
export { shareBudget } from './budget/share-budget.ts'
export { floorBudget } from './budget/floor-budget.ts'
export { fractionBudget } from './budget/fraction-budget.ts'
export { phaseBudget } from './budget/phase-budget.ts'
export { tierBudget } from './budget/tier-budget.ts'
export { entriesOf, ledgerKeys, ledgerSince, ledgerUpTo, sharedBeginning } from './epochs/index.ts'
export { contentHasher } from './items/item-keys.ts'
export { createCompiler } from './create-compiler.ts'
export type { Compiler } from './create-compiler.ts'
export type { CompilerOptions } from './compiler-parts.ts'
export { composePolicy } from './policy/compose-policy.ts'
export type { PolicyInForce } from './policy/compose-policy.ts'
export { comparePolicies, explainPolicy } from './policy/explain-policy.ts'
export type { ExplainedPolicy, PolicyDifference, PolicyValue } from './policy/explain-policy.ts'
export { detectPhase } from './policy/detect-phase.ts'
export { changedPolicyShape, knownPolicy, readPolicy } from './policy/read-policy.ts'
export type { ChangedPolicy, KnownPolicies, ReadPolicyOptions } from './policy/read-policy.ts'
export { foldPolicy, policyUpdate, revisePolicy, sameWords } from './policy/revise-policy.ts'
export type { RevisedPolicy } from './policy/revise-policy.ts'
export { tenantChanges, withTenants } from './policy/tenant-settings.ts'
export { frozen } from './policy/frozen.ts'
export { governor, governorSections } from './policy/governor.ts'
export { aboutPolicies, careful, costFirst, guarded, policies, qualityFirst, thrifty } from './policies.ts'
export { assemblePrompt, prefixLayers, systemBlocks, toolLevels } from './prefix/prompt-layers.ts'
export type {
  AssembledPrompt,
  LayeredTool,
  PrefixLayer,
  PromptLayer,
  PromptParts,
  TenantPrompt,
  ToolLevel,
} from './prefix/prompt-layers.ts'
export { newFindings } from './receipt/compile-events.ts'
export { isIntact } from './receipt/pack-hash.ts'
export { assemblyReasons, compilationTrace, contextPackManifest } from './receipt/projections.ts'
export type { AssemblyReason, CompilationTrace, ContextPackManifest, TraceStamp } from './receipt/projections.ts'
export { serializePack } from './receipt/serialize-pack.ts'
export { verifyManifest } from './receipt/verify-manifest.ts'
export type { ManifestDifference, Verification, VerifyOptions } from './receipt/verify-manifest.ts'
export type { Scorer } from './stages/rank.ts'
