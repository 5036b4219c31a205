export { ablate } from './ablate.ts'
export type { Ablation, AblationOptions } from './ablate.ts'
export { comparePacks, isUnchanged } from './compare-packs.ts'
export type {
  DecisionChange,
  FigureChange,
  PackComparison,
  SectionChange,
  SettingChange,
  Standing,
} from './compare-packs.ts'
export { ablatePairs, interactions } from './ablate-pairs.ts'
export type { Interaction, PairAblation } from './ablate-pairs.ts'
export { calibrateWeights, withWeights } from './calibrate-weights.ts'
export type { CalibratedSection, CalibrationOptions } from './calibrate-weights.ts'
export type { WorthOptions } from './worth-without.ts'
export { findQuote } from './find-quote.ts'
export type { QuotePlace, QuoteSearch } from './find-quote.ts'
export { judgePack } from '../quality/judge-pack.ts'
export type { JudgedPack, JudgeOptions, PackToJudge } from '../quality/judge-pack.ts'
export { lineageOf } from './lineage.ts'
export type { ItemLineage, ItemOrigin, PackLineage, SectionLineage } from './lineage.ts'
export { diagnose, rootCauses } from './diagnose.ts'
export type { DiagnoseOptions, Diagnosis, Finding, FoundText, RootCause } from './diagnose.ts'
export { sessionUnder } from './under-policy.ts'
export type { PackedAgain, RecordedCompile, SessionUnder } from './under-policy.ts'
export { modelRules, plainRules } from '../billing-rules.ts'
export type { BillingRules, ModelRuleOptions, PriceOverrides } from '../billing-rules.ts'
export type { Bill, BillingCache } from '../cache-bill.ts'
