import type { SectionBudget } from '../../core/index.ts'

/** The part of a section's budget that its utility depends on. */
export type UtilityCurve = Pick<SectionBudget, 'min' | 'weight' | 'alpha' | 'beta' | 'base' | 'cost'>

/** Net utility of `tokens` tokens: 0 below the minimum, `base` at it, logarithmic above. */
export function utilityOf(curve: UtilityCurve, tokens: number, costSensitivity: number): number {
  if (tokens < curve.min) return 0
  const gain = curve.base + curve.alpha * Math.log1p((tokens - curve.min) / curve.beta)
  return curve.weight * gain - costSensitivity * curve.cost * tokens
}

/** What the token after `tokens` adds. Falls as `tokens` grows, so that grants by largest gain are optimal. */
export function gainOfNextToken(curve: UtilityCurve, tokens: number, costSensitivity: number): number {
  const position = curve.beta + tokens - curve.min
  return curve.weight * curve.alpha * Math.log1p(1 / position) - costSensitivity * curve.cost
}
