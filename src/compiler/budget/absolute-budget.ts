import type { BudgetRequest, Section, SectionBudget } from '../../core/index.ts'
import { invalidInput, shape } from '../../core/index.ts'
import type { Band } from './compression-bands.ts'

/** Room for one section, in tokens. */
export interface BudgetSlot {
  readonly section: Section
  readonly maxTokens: number
  /** Most of an item that a shorter form may take away; 0 shows items whole or not at all. Usually the tolerance's end. */
  readonly removedRatio?: number
  /** How far the section may be compressed, as shares that are taken away. */
  readonly tolerance?: Band
}

/** Room for tools: a selection of so many. */
export interface ToolsSlot extends BudgetSlot {
  readonly section: 'tools'
  readonly maxTools: number
}

/** Room for what was retrieved: the best so many. */
export interface TopKSlot extends BudgetSlot {
  readonly topK: number
}

/** Room for the conversation: so many turns as they were, what lies before them in so many tokens. */
export interface HistorySlot extends BudgetSlot {
  readonly section: 'history'
  readonly recentVerbatimTurns: number
  readonly olderSummaryTokens: number
}

export type AnySlot = BudgetSlot | ToolsSlot | TopKSlot | HistorySlot

/** The input of `absoluteBudget`. Sizes are in tokens. */
export interface AbsoluteBudget {
  readonly windowTokens: number
  /** Kept free for the reply. */
  readonly outputTokens: number
  readonly slots: readonly AnySlot[]
}

/** Slots of absolute size. The slots and the output must fit into the window together. */
export function absoluteBudget(options: AbsoluteBudget): BudgetRequest {
  shape.check(optionsShape, options, '')
  const { windowTokens, outputTokens, slots } = options
  const total = slots.reduce((sum, { maxTokens }) => sum + maxTokens, 0)
  for (const [index, slot] of slots.entries()) requireSlot(slot, `slots[${index}]`)
  if (total + outputTokens > windowTokens)
    throw invalidInput(
      'slots',
      `take ${total} tokens, which with ${outputTokens} for the output is more than ${windowTokens}`,
      'Make slots smaller, or the window larger.',
    )
  return { windowTokens, maxOutputTokens: outputTokens, sections: slots.map(normalForm) }
}

const { count, list, object, optional, share } = shape

const optionsShape = object<AbsoluteBudget>({
  windowTokens: shape.countFrom(1),
  outputTokens: count,
  slots: list(
    object<BudgetSlot>({
      section: shape.name,
      maxTokens: count,
      removedRatio: optional(share),
      tolerance: optional(shape.pair(share)),
    }),
  ),
})

const counts = ['maxTokens', 'maxTools', 'topK', 'recentVerbatimTurns', 'olderSummaryTokens'] as const

function requireSlot(slot: AnySlot, at: string): void {
  const given: { readonly [Name in (typeof counts)[number]]?: number } = slot
  for (const name of counts) {
    const value = given[name]
    if (value !== undefined && (!Number.isInteger(value) || value < 0))
      throw invalidInput(`${at}.${name}`, 'is not a count', 'Give a whole number from 0.')
  }
  if ((given.olderSummaryTokens ?? 0) > slot.maxTokens)
    throw invalidInput(`${at}.olderSummaryTokens`, 'exceed maxTokens', 'Give older turns a part of the slot.')
  const [least, most] = slot.tolerance ?? [0, 1]
  if (!(least >= 0 && least <= most && most <= 1))
    throw invalidInput(`${at}.tolerance`, 'is not a band', 'Give two rising shares from 0 to 1.')
  const ratio = slot.removedRatio ?? most
  if (!(ratio >= 0 && ratio <= most))
    throw invalidInput(`${at}.removedRatio`, `is not between 0 and ${most}`, 'Stay within the tolerance.')
}

type SectionRequest = NonNullable<BudgetRequest['sections']>[number]

/** The tolerances of tools and history are for the whole section, by selection and by age; of the others, for an item. */
function normalForm(slot: AnySlot): SectionRequest {
  const { section, maxTokens, removedRatio, tolerance } = slot
  const mostRemoved = section === 'tools' || section === 'history' ? removedRatio : (removedRatio ?? tolerance?.[1])
  const base: SectionRequest = { section, min: 0, max: maxTokens, ...(mostRemoved !== undefined && { mostRemoved }) }
  return { ...base, ...limitsOf(slot) }
}

function limitsOf(slot: AnySlot): Partial<SectionBudget> {
  if ('maxTools' in slot) return { maxItems: slot.maxTools }
  if ('topK' in slot) return { maxItems: slot.topK }
  if ('recentVerbatimTurns' in slot)
    return { recentTurns: slot.recentVerbatimTurns, olderTokens: slot.olderSummaryTokens }
  return {}
}
