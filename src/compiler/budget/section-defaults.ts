import type { Section, SectionBudget } from '../../core/index.ts'
import { sectionInfo } from '../../core/index.ts'

/** Share of the window over which the use of a section's tokens halves. */
const scaleShare = 0.02

/** A section that may take anything, with the usual curve of utility. */
export function usualSection(section: Section, windowTokens: number): SectionBudget {
  return {
    section,
    tier: sectionInfo(section).tier,
    min: 0,
    max: windowTokens,
    weight: 1,
    alpha: 1,
    beta: Math.max(1, scaleShare * windowTokens),
    base: 1,
    cost: 1,
  }
}

/** A scale so small that the surplus is shared in proportion to the weights. */
export const proportional = 1e-6
