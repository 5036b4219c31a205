import type { Effort, ReasoningWish } from '../../core/index.ts'
import { effortBudget, effortWish, effortWord, tokensWish } from '../effort/effort.ts'
import type { Field } from '../read-field.ts'
import { valueAt } from '../sampling-fields.ts'
import type { Draft } from '../write-request.ts'
import { eitherChild, spelling } from './members.ts'

/** What a configuration says of how much the model is to think. */
export function thinkingWish(config: Field): ReasoningWish | undefined {
  const thinking = eitherChild(config, 'thinkingConfig')
  if (thinking === undefined) return undefined
  return (
    effortWish(valueAt(thinking, spelling(thinking, 'thinkingLevel'))) ??
    tokensWish(valueAt(thinking, spelling(thinking, 'thinkingBudget')))
  )
}

/** The least and the most that models of 2.5 take (ai.google.dev/gemini-api/docs/thinking, 2026-07); off is 0 where they can be. */
const budgets: readonly {
  readonly names: RegExp
  readonly least: number
  readonly most: number
  readonly off: boolean
}[] = [
  { names: /gemini-2\.5-pro/, least: 128, most: 32_768, off: false },
  { names: /gemini-2\.5-flash-lite/, least: 512, most: 24_576, off: true },
  { names: /gemini-2\.5/, least: 1, most: 24_576, off: true },
]

/** From the third generation on there are levels; none of them is off, and larger models do not think less than `low`. */
function levelsOf(model: string): readonly Effort[] {
  if (/gemini-3-pro/.test(model)) return ['low', 'high']
  return model.includes('pro') ? ['low', 'medium', 'high'] : ['minimal', 'low', 'medium', 'high']
}

/** The configuration of the wish. */
export function thinkingConfig(draft: Draft, isThird: boolean): object | undefined {
  const { conversation, lose } = draft
  const wish = conversation.sampling.reasoning
  if (wish === undefined) return undefined
  if (isThird) {
    const level = effortWord(draft, levelsOf(conversation.model))
    return level && { thinkingLevel: level.toUpperCase() }
  }
  const known = budgets.find(({ names }) => names.test(conversation.model))
  if (known === undefined) {
    if (wish.effort !== 'none' && wish.effort !== 'auto')
      lose('sampling', 'reasoning', 'the model is not known to take it')
    return undefined
  }
  if (wish.effort === 'auto') return { thinkingBudget: -1 }
  const least = wish.effort === 'none' && known.off ? 0 : known.least
  return { thinkingBudget: effortBudget(draft, { least, most: known.most }) }
}
