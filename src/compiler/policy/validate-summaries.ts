import type { Policy } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'

/** What hides nothing summarises nothing, and bounds must leave something between them. */
export function requireSummaries({ summaries, epochs }: Policy): void {
  if (summaries === undefined || summaries.mode === 'off') return
  const { leastTurns = 3, recentTurns = Infinity, leastTokens = 80, mostTokens = 2000 } = summaries
  if (epochs.lowestRung === 'lossless')
    throw invalidInput(
      'policy.summaries',
      'hide what was said, and epochs.lowestRung hides nothing',
      'Choose another lowestRung, or leave the summaries out.',
    )
  if (summaries.leastTurns !== undefined && leastTurns > recentTurns)
    throw invalidInput(
      'policy.summaries.leastTurns',
      `exceeds recentTurns ${recentTurns}`,
      `Give at most ${recentTurns}.`,
    )
  if (leastTokens > mostTokens)
    throw invalidInput(
      'policy.summaries.leastTokens',
      `exceeds mostTokens ${mostTokens}`,
      `Give at most ${mostTokens}.`,
    )
}
