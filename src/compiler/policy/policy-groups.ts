/** Groups of figures of a policy, which change member by member. */
export const policyGroups = [
  'floors',
  'rank',
  'pressure',
  'epochs',
  'hygiene',
  'summaries',
  'compression',
  'references',
  'tools',
] as const

/** Figures and switches of a policy that stand by themselves, each of them a setting by name. */
export const policyScalars = [
  'overflow',
  'relief',
  'provenance',
  'contextTokens',
  'reserveShare',
  'costSensitivity',
  'promptCache',
  'toolSchemas',
  'losslessForms',
  'findContradictions',
  'trackWaste',
  'measureQuality',
  'modelPreference',
] as const
