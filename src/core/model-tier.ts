export const modelTiers = ['T0', 'T1', 'T2'] as const
/** What work is done by: no model at all, a cheap one, a dear one. */
export type ModelTier = (typeof modelTiers)[number]

export const modelPreferences = ['cheap-first', 'balanced', 'paranoid'] as const
/**
 * What decides which model is asked: the cheapest that manages, the one that suits the work, or the dear one for everything.
 */
export type ModelPreference = (typeof modelPreferences)[number]
