import type { BudgetTier, Section } from './section.ts'

/**
 * What one section may take, in tokens: the normal form that every budget language compiles to.
 * Utility of t tokens: `weight * (base + alpha * ln(1 + (t - min) / beta))` for t >= min, else 0.
 */
export interface SectionBudget {
  readonly section: Section
  readonly tier: BudgetTier
  readonly min: number
  readonly max: number
  readonly weight: number
  readonly alpha: number
  readonly beta: number
  /** Utility of having the section at all. */
  readonly base: number
  /** Price of one token, in utility, before the cost sensitivity mu. */
  readonly cost: number
  /** At most this many items are shown, those that rank highest. */
  readonly maxItems?: number
  /** Of these many, those that are most relevant; all where absent. */
  readonly maxCandidates?: number
  /** Most of an item's tokens that a shorter form of it may save, as a share; what would have to save more is left out. */
  readonly mostRemoved?: number
  /** Of the history: the newest turns that stand verbatim; older ones are shortened. */
  readonly recentTurns?: number
  /** Of the history: what older turns may take in their short forms. In a conversation, which nothing can be taken out of, as far as those go. */
  readonly olderTokens?: number
}

/** The window of one request, in tokens. `sections` override the policy's shares. */
export interface Budget {
  readonly windowTokens: number
  /** Kept free for the reply: at least the requested output. */
  readonly reserveTokens: number
  /** Tokens spent on framing that no item owns: message wrappers, tool prompt. */
  readonly overheadTokens: number
  readonly sections: readonly SectionBudget[]
  /** Cost sensitivity mu; 0 ignores cost. Minimums stand at any price. */
  readonly costSensitivity: number
}
