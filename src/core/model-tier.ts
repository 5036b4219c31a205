/** What work is done by: no model at all, a cheap one, a dear one. */
export const modelTiers = ['T0', 'T1', 'T2'] as const
export type ModelTier = (typeof modelTiers)[number]

/**
 * What decides which model is asked: the cheapest that manages, the one that suits the work, or the dear one for everything.
 */
export const modelPreferences = ['cheap-first', 'balanced', 'paranoid'] as const
export type ModelPreference = (typeof modelPreferences)[number]
