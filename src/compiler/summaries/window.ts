import type { ConversationPreset, SummaryPolicy } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'

/** Most turns that stand as they were said, by who talks. */
const presetTurns: Readonly<Record<ConversationPreset, number>> = { chat: 10, agent: 5, stateless: 0 }
const usualLeast = 3

/** The figures from which `saturationTurn` computes the turn at which a window is full, in tokens. */
export interface Saturation {
  readonly windowTokens: number
  /** What every request has: instructions, tools, the reserve for the reply. */
  readonly fixedTokens: number
  /** Mean tokens of a turn, the reply included. */
  readonly turnTokens: number
}

/**
 * The turn at which a conversation fills its window: whole turns that fit beside what is fixed. A window of 128,000 tokens with 20,000
 * fixed and turns of 800 holds 135. Throws `invalid-input` where a turn has no size.
 */
export function saturationTurn({ windowTokens, fixedTokens, turnTokens }: Saturation): number {
  if (!(turnTokens > 0))
    throw invalidInput('turnTokens', `is ${turnTokens}`, 'Give the mean tokens of a turn, above 0.')
  return Math.max(0, Math.floor((windowTokens - fixedTokens) / turnTokens))
}

/** The figures from which `recentTurns` computes how many turns stay as they were said. */
export interface TurnWindow {
  /** What the history was granted. */
  readonly budgetTokens: number
  /** What the summaries of earlier turns take of it, before anything else. */
  readonly summaryTokens: number
  /** Mean tokens of a turn. */
  readonly turnTokens: number
  readonly policy: SummaryPolicy
}

/**
 * How many of the newest turns stand as they were said: what the budget holds once its summaries are paid, between the least and the
 * preset's most; none of a conversation that each call does without.
 */
export function recentTurns({ budgetTokens, summaryTokens, turnTokens, policy }: TurnWindow): number {
  const most = policy.recentTurns ?? presetTurns[policy.preset ?? 'chat']
  const least = Math.min(most, policy.leastTurns ?? usualLeast)
  const fitting = turnTokens > 0 ? Math.floor((budgetTokens - summaryTokens) / turnTokens) : most
  return Math.max(least, Math.min(most, fitting))
}
