import type { Effort, ReasoningWish } from '../../core/index.ts'
import { efforts, isEffort } from '../../core/index.ts'
import type { Draft } from '../write-request.ts'

/**
 * Tokens of thinking that a word stands for. Google's table for OpenAI's words (ai.google.dev/gemini-api/docs/openai): 1,024, 8,192
 * and 24,576; above them the most that a Gemini takes (2.5 Pro), beyond which Anthropic sees little gain. Nobody else says any.
 */
export const effortTokens: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

/** What a provider's word for it says; undefined where it is none that is known. */
export function effortWish(word: unknown): ReasoningWish | undefined {
  const effort = typeof word === 'string' ? word.toLowerCase() : undefined
  return isEffort(effort) ? { effort } : undefined
}

/** A number of tokens, and the strongest word whose tokens it reaches; 0 switches thinking off. */
export function tokensWish(tokens: unknown): ReasoningWish | undefined {
  if (typeof tokens !== 'number') return undefined
  if (tokens <= 0) return { effort: tokens === 0 ? 'none' : 'auto' }
  const reached = (['low', 'medium', 'high'] as const).findLast((effort) => tokens >= effortTokens[effort])
  return { effort: tokens > effortTokens.xhigh ? 'xhigh' : (reached ?? 'minimal'), tokens }
}

/** The word that a model of the words given takes for the wish; what is not exact is named. Undefined where nothing is to be said. */
export function effortWord<Word extends Effort>(
  { conversation, lose }: Draft,
  words: readonly Word[],
): Word | undefined {
  const wish = conversation.sampling.reasoning
  if (wish === undefined || wish.effort === 'auto') return undefined
  const word = nearest(wish.effort, words)
  if (word === undefined) lose('sampling', 'reasoning', 'the model is not known to take it')
  else if (wish.tokens !== undefined) lose('sampling', 'reasoning', `${wish.tokens} tokens are about "${word}" here`)
  else if (word !== wish.effort) lose('sampling', 'reasoning', `"${wish.effort}" is "${word}" here`)
  return word
}

/** The tokens of the wish between the least and the most that a model takes; what is not exact is named. */
export function effortBudget(
  { conversation, lose }: Draft,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const wish = conversation.sampling.reasoning
  if (wish === undefined || wish.effort === 'auto') return undefined
  const wanted = wish.tokens ?? effortTokens[wish.effort]
  const tokens = Math.max(least, Math.min(wanted, most))
  if (wish.tokens !== undefined && tokens !== wanted)
    lose('sampling', 'reasoning', `${wanted} tokens are ${tokens} here`)
  if (wish.tokens === undefined && !(wish.effort === 'none' && tokens === 0))
    lose('sampling', 'reasoning', `"${wish.effort}" is about ${tokens} tokens here`)
  return tokens
}

/** The same word, else the next weaker, else the weakest. Whoever wants reasoning gets some. */
function nearest<Word extends Effort>(effort: Effort, words: readonly Word[]): Word | undefined {
  const rank = (word: Effort): number => efforts.indexOf(word)
  const inOrder = words.toSorted((one, other) => rank(one) - rank(other))
  const wanted = effort === 'none' ? inOrder : inOrder.filter((word) => word !== 'none')
  return wanted.findLast((word) => rank(word) <= rank(effort)) ?? wanted[0]
}
