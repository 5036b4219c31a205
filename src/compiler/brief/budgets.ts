import type { BriefBudgets } from '../../core/index.ts'

/** All that a brief may hold besides its log, in tokens. */
export function budgetTokens({ views, tasks, outlines, lines }: BriefBudgets): number {
  return views + tasks + outlines + lines
}

/** Budgets that come to `tokens`, shared out as these are. */
export function budgetsOf(budgets: BriefBudgets, tokens: number): BriefBudgets {
  const scale = tokens / Math.max(1, budgetTokens(budgets))
  const scaled = (own: number): number => Math.floor(own * scale)
  const { views, viewSteps, tasks, outlines, lines } = budgets
  return { views: scaled(views), viewSteps, tasks: scaled(tasks), outlines: scaled(outlines), lines: scaled(lines) }
}
