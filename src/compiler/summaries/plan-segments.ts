import type { SummaryMode, SummaryPolicy } from '../../core/index.ts'
import { segmentsOf, turnsOfBlock } from './segments.ts'
import type { MadeSummary } from './summarist.ts'
import type { Segment } from './segments.ts'
import { recentTurns } from './window.ts'

export interface SegmentProblem {
  /** Turns of the conversation, and the mean of what they take. */
  readonly turns: number
  readonly turnTokens: number
  /** Newest turns that no summary may stand for, whatever the policy says. */
  readonly standing: number
  /** Complete blocks that are summarised already: what is, stays so. */
  readonly before: number
  /** What the history is brought down to where it can be, so that the next turns have room. */
  readonly budgetTokens: number
  /** What it may take at most: before that is exceeded nothing is folded. */
  readonly limitTokens: number
  readonly policy: SummaryPolicy
  /** What the history takes with these summaries in place of what they stand for. */
  tokensWith(summaries: readonly MadeSummary[]): number
  summaryOf(segment: Segment, mode: SummaryMode): MadeSummary | undefined
}

export interface PlannedSummaries {
  /** Complete blocks, from the oldest, that summaries stand for. */
  readonly blocks: number
  readonly summaries: readonly MadeSummary[]
  readonly tokens: number
}

/**
 * Which of the oldest complete blocks are summarised, so that the rest fits: as many turns stand as they were said as the budget holds
 * beside their summaries, within the policy's bounds; then fewer, down to the least. Where even then there is no room, one summary
 * stands for all of them. Undefined where no block is complete.
 */
export function planSummaries(problem: SegmentProblem): PlannedSummaries | undefined {
  const { turns, before, limitTokens, policy } = problem
  const least = Math.max(problem.standing, recentTurns({ budgetTokens: 0, summaryTokens: 0, turnTokens: 1, policy }))
  const most = Math.max(before, blocksBefore(turns - least, policy))
  if (most <= 0) return undefined
  let last: PlannedSummaries | undefined
  for (const mode of modesOf(policy)) {
    last = planned(problem, most, mode)
    if (last.tokens <= limitTokens) return fewestThatFit(problem, mode, last)
  }
  return last
}

/** Summaries that grow too many become one: of recorded talk that keeps more than a pyramid of as many tokens. */
export function modesOf({ mode = 'checkpoint' }: SummaryPolicy): readonly SummaryMode[] {
  if (mode === 'checkpoint') return ['checkpoint', 'oneshot']
  return mode === 'pyramid' ? ['pyramid', 'oneshot'] : [mode]
}

function blocksBefore(turns: number, policy: SummaryPolicy): number {
  return Math.max(0, Math.floor(turns / turnsOfBlock(policy)))
}

/** The more blocks are summarised, the less is taken: the fewest are found by halving. */
function fewestThatFit(problem: SegmentProblem, mode: SummaryMode, most: PlannedSummaries): PlannedSummaries {
  let best = most
  let low = Math.min(most.blocks, Math.max(problem.before, usualBlocks(problem, most)))
  while (low < best.blocks) {
    const middle = Math.floor((low + best.blocks) / 2)
    const tried = planned(problem, middle, mode)
    if (tried.tokens <= problem.budgetTokens) best = tried
    else low = middle + 1
  }
  return best
}

/** What lies before as many turns as the budget holds beside its summaries. */
function usualBlocks(
  { turns, turnTokens, budgetTokens, policy }: SegmentProblem,
  { summaries }: PlannedSummaries,
): number {
  const summaryTokens = summaries.reduce((sum, { tokens }) => sum + tokens, 0)
  return Math.max(1, blocksBefore(turns - recentTurns({ budgetTokens, summaryTokens, turnTokens, policy }), policy))
}

function planned(
  { policy, tokensWith, summaryOf }: SegmentProblem,
  blocks: number,
  mode: SummaryMode,
): PlannedSummaries {
  const summaries = segmentsOf(blocks, mode, policy).flatMap((segment) => summaryOf(segment, mode) ?? [])
  return { blocks, summaries, tokens: tokensWith(summaries) }
}
