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
