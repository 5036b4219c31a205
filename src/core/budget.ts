import type { BudgetTier, Section } from './section.ts'

/**
 * What one section may take, in tokens: the normal form that every budget language compiles to.
 * Utility of t tokens: `weight * (base + alpha * ln(1 + (t - min) / beta))` for t >= min, else 0 (P-006, B-45).
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
  /** Price of one token, in utility, before the cost sensitivity mu (P-009). */
  readonly cost: number
}

/** The window of one request, in tokens. `sections` override the policy's shares. */
export interface Budget {
  readonly windowTokens: number
  /** Kept free for the reply: at least the requested output (P-003, X-14). */
  readonly reserveTokens: number
  /** Tokens spent on framing that no item owns: message wrappers, tool prompt. */
  readonly overheadTokens: number
  readonly sections: readonly SectionBudget[]
  /** Cost sensitivity mu of P-009; 0 ignores cost. Minimums stand at any price. */
  readonly costSensitivity: number
}
