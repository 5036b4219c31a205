import type { BudgetRequest } from '../../core/index.ts'
import { invalidInput, shape } from '../../core/index.ts'
import { apportion } from './apportion.ts'

/** The input of `fractionBudget`. Sizes are in tokens. */
export interface FractionBudget {
  readonly windowTokens: number
  readonly outputTokens?: number
  /** What the fractions are fractions of; fixed tiers come off the window, not off this. */
  readonly softTokens: number
  /** Share of each section; brought to a sum of 1. Zero leaves the section out. */
  readonly fractions: Readonly<Record<string, number>>
}

const optionsShape = shape.object<FractionBudget>({
  windowTokens: shape.countFrom(1),
  outputTokens: shape.optional(shape.count),
  softTokens: shape.count,
  fractions: shape.record(shape.finite),
})

/** Fractions of a soft budget: each section may take its share and no more. */
export function fractionBudget(options: FractionBudget): BudgetRequest {
  shape.check(optionsShape, options, '')
  const { windowTokens, outputTokens, softTokens, fractions } = options
  const entries = Object.entries(fractions)
  for (const [section, fraction] of entries)
    if (typeof fraction !== 'number' || !(fraction >= 0) || fraction > 1)
      throw invalidInput(`fractions.${section}`, 'is not a fraction', 'Give a number from 0 to 1.')
  if (!entries.some(([, fraction]) => fraction > 0))
    throw invalidInput('fractions', 'are all 0', 'Give at least one section a share.')
  if (softTokens > windowTokens - (outputTokens ?? 0))
    throw invalidInput('softTokens', 'exceed what the output leaves of the window', 'Make them fewer.')
  const shares = apportion(
    softTokens,
    entries.map(([, fraction]) => fraction),
  )
  return {
    windowTokens,
    ...(outputTokens === undefined ? {} : { maxOutputTokens: outputTokens }),
    sections: entries.map(([section], index) => ({
      section,
      min: 0,
      max: shares[index] ?? 0,
    })),
  }
}
