import type { BudgetRequest } from '../../core/index.ts'
import { invalidInput, shape } from '../../core/index.ts'
import { apportion } from './apportion.ts'

/** The input of `shareBudget`. Sizes are in tokens. */
export interface ShareBudget {
  readonly windowTokens: number
  /** Share of the window of every section; `reserve` is kept free for the reply. Together 1. */
  readonly shares: Readonly<Record<string, number>>
}

const optionsShape = shape.object<ShareBudget>({ windowTokens: shape.countFrom(1), shares: shape.record(shape.finite) })

/** Shares of a whole window, reserve included: each section may take its own and no more. They are not scaled: a sum that is not 1 is a mistake. */
export function shareBudget(options: ShareBudget): BudgetRequest {
  shape.check(optionsShape, options, '')
  const { windowTokens, shares } = options
  const entries = Object.entries(shares)
  for (const [name, share] of entries)
    if (!(share >= 0 && share <= 1))
      throw invalidInput(`shares.${name}`, 'is not a share', 'Give a number from 0 to 1.')
  const sum = entries.reduce((all, [, share]) => all + share, 0)
  if (Math.abs(sum - 1) > 1e-9)
    throw invalidInput('shares', `sum to ${Math.round(sum * 1000) / 10}%`, 'Scale them to 100%, the reserve included.')
  const tokens = apportion(
    windowTokens,
    entries.map(([, share]) => share),
  )
  const sized = entries.map(([section], index) => ({ section, min: 0, max: tokens[index] ?? 0 }))
  return {
    windowTokens,
    maxOutputTokens: sized.find(({ section }) => section === 'reserve')?.max ?? 0,
    sections: sized.filter(({ section }) => section !== 'reserve'),
  }
}
