import type { BudgetRequest, Section } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'

/** Room for one section, in tokens. */
export interface BudgetSlot {
  readonly section: Section
  readonly maxTokens: number
}

export interface AbsoluteBudget {
  readonly windowTokens: number
  /** Kept free for the reply. */
  readonly outputTokens: number
  readonly slots: readonly BudgetSlot[]
}

/** Slots of absolute size. The slots and the output must fit into the window together. */
export function absoluteBudget({ windowTokens, outputTokens, slots }: AbsoluteBudget): BudgetRequest {
  const total = slots.reduce((sum, { maxTokens }) => sum + maxTokens, 0)
  for (const [index, { maxTokens }] of slots.entries())
    if (!Number.isInteger(maxTokens) || maxTokens < 0)
      throw invalidInput(`slots[${index}].maxTokens`, 'is not a count of tokens', 'Give a whole number from 0.')
  if (total + outputTokens > windowTokens)
    throw invalidInput(
      'slots',
      `take ${total} tokens, which with ${outputTokens} for the output is more than ${windowTokens}`,
      'Make slots smaller, or the window larger.',
    )
  return {
    windowTokens,
    maxOutputTokens: outputTokens,
    sections: slots.map(({ section, maxTokens }) => ({ section, min: 0, max: maxTokens })),
  }
}

/** 100,000 tokens of context and 28,000 for the output of a model with a window of 128,000. */
export const gateway128k: AbsoluteBudget = {
  windowTokens: 128_000,
  outputTokens: 28_000,
  slots: [
    // What one vocabulary calls `system` is policy and role here, half each. Both stand whole: what is longer asks for the step to be split.
    { section: 'policy', maxTokens: 2_000 },
    { section: 'role', maxTokens: 2_000 },
    { section: 'tools', maxTokens: 8_000 },
    { section: 'memory', maxTokens: 3_000 },
    { section: 'evidence', maxTokens: 15_000 },
    { section: 'enrichment', maxTokens: 2_000 },
    { section: 'history', maxTokens: 60_000 },
    { section: 'query', maxTokens: 8_000 },
  ],
}
