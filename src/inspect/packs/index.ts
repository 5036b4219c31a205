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
