export { filesAtWork } from './brief/files-at-work.ts'
export { workSoFar } from './brief/work-so-far.ts'
export { absoluteBudget } from './budget/absolute-budget.ts'
export type { AbsoluteBudget } from './budget/absolute-budget.ts'
export { compressionBands, compressionOf } from './budget/compression-bands.ts'
export type { SectionCompression } from './budget/compression-bands.ts'
export { gateway128k } from './budget/gateway-128k.ts'
export { shareBudget } from './budget/share-budget.ts'
export type { ShareBudget } from './budget/share-budget.ts'
export { floorBudget } from './budget/floor-budget.ts'
export type { FloorBudget } from './budget/floor-budget.ts'
export { fractionBudget } from './budget/fraction-budget.ts'
export type { FractionBudget } from './budget/fraction-budget.ts'
export { phaseBudget } from './budget/phase-budget.ts'
export type { PhaseBudget } from './budget/phase-budget.ts'
export { tierBudget } from './budget/tier-budget.ts'
export type { TierBudget } from './budget/tier-budget.ts'
export { entriesOf, expectedTurns, ledgerKeys, ledgerSince, ledgerUpTo, sharedBeginning } from './epochs/index.ts'
export { contentHasher, handleFrom } from './items/item-keys.ts'
export { openTasks } from './items/task-list.ts'
export { bareCompiler } from './bare-compiler.ts'
export type { Compiler } from './bare-compiler.ts'
export { conversations } from './conversations.ts'
export { createCompiler } from './create-compiler.ts'
export type { BareCompilerOptions, CompilerOptions, ConversationReading } from './solving/compiler-parts.ts'
export { chooseModel } from './policy/choose-model.ts'
export type { ModelChoice, ModelWork } from './policy/choose-model.ts'
export { composePolicy } from './policy/compose-policy.ts'
export type { PolicyInForce } from './policy/compose-policy.ts'
export { comparePolicies, explainPolicy } from './policy/explain-policy.ts'
export type { ExplainedPolicy, PolicyDifference, PolicyValue, ExplainOptions } from './policy/explain-policy.ts'
export { detectPhase } from './policy/detect-phase.ts'
export type { PhaseClues } from './policy/detect-phase.ts'
export { changedPolicyShape, chosenPolicy, knownPolicy, readPolicy } from './policy/read-policy.ts'
export type { ChangedPolicy, KnownPolicies, ReadPolicyOptions } from './policy/read-policy.ts'
export { foldPolicy, policyUpdate, revisePolicy, sameWords } from './policy/revise-policy.ts'
export type { RevisedPolicy } from './policy/revise-policy.ts'
export { strategyOf } from './policy/strategy-of.ts'
export type { RetrievalWork } from './policy/strategy-of.ts'
export { policyOfTenant, withSettings, withTenants } from './policy/apply-settings.ts'
export { policySettingNames, settingPath, settingSchema, tenantChanges } from './policy/tenant-settings.ts'
export { governor, governorSections } from './policy/governor.ts'
export {
  aboutPolicies,
  conversationsAs,
  balanced,
  careful,
  costFirst,
  defaultPolicy,
  guarded,
  policies,
  qualityFirst,
  recommendedPolicies,
  thrifty,
} from './policy/policies.ts'
export type { PolicyChoice, PolicyName } from './policy/policies.ts'
export { assemblePrompt, prefixLayers, systemBlocks } from './prefix/prompt-layers.ts'
export type {
  AssembledPrompt,
  LayeredTool,
  PrefixLayer,
  PromptLayer,
  PromptParts,
  TenantPrompt,
} from './prefix/prompt-layers.ts'
export { rolePolicy } from './prefix/role-policy.ts'
export type { RolePolicy, RolePolicyDocument, RolePolicyOptions } from './prefix/role-policy.ts'
export { isLeftOut, logBlocks } from './brief/log-blocks.ts'
export { summaryBlocks } from './summaries/summary-blocks.ts'
export type { BlocksInput, SummaryBlock } from './summaries/summary-blocks.ts'
export { recentTurns, saturationTurn } from './summaries/window.ts'
export type { Saturation, TurnWindow } from './summaries/window.ts'
export { stepNumbers } from './items/step-numbers.ts'
export { pricesFor } from './layout/layout-of.ts'
export { sweepPositions } from './layout/sweep-positions.ts'
export type { PositionSweep, SweptPosition } from './layout/sweep-positions.ts'
export { newFindings } from './receipt/compile-events.ts'
export { breachAction, breachText } from './quality/judge-quality.ts'
export { lexicalEntailment } from './quality/lexical-entailment.ts'
export { isIntact } from './receipt/pack-hash.ts'
export { assemblyReasons, compilationTrace, contextPackManifest } from './receipt/projections.ts'
export type { AssemblyReason, CompilationTrace, ContextPackManifest, TraceStamp } from './receipt/projections.ts'
export { serializePack } from './receipt/serialize-pack.ts'
export { verifyManifest } from './receipt/verify-manifest.ts'
export type { ManifestDifference, Verification, VerifyOptions } from './receipt/verify-manifest.ts'
export type { Scorer } from './stages/rank-rules.ts'
export { rankPresets } from './stages/rank-rules.ts'
