import type { Item } from '../../core/index.ts'
import { isAsked } from '../items/asked.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { isNoted } from './step-note.ts'
import { isSummarised } from './summarised.ts'

export interface StepScope {
  /** Newest steps that stand. */
  readonly newestSteps: number
  /** Whether replies that call nothing may go, too. */
  readonly talk?: boolean
  /** Whether an item counts to what must shrink. */
  scope(index: number): boolean
}

/** A reply of the model with what came back for its calls; indexes of items. */
export type Step = readonly number[]

/**
 * Whole steps of which nothing has to stand, oldest first; what a summary stands for already is no part of them. Steps that a note stands for
 * are among them however new they are: a new note that left them out would leave nothing that leads to them.
 */
export function stepsThatMayGo(
  { input, options }: PlanContext,
  shown: Rendered,
  { scope, newestSteps, talk = false }: StepScope,
): readonly Step[] {
  const { items } = input
  const hasNote = isNoted(shown.renditions)
  const isOfSummary = (index: number): boolean => isSummarised(shown.renditions[index]) && !hasNote(index)
  const mayGo = (index: number): boolean => {
    const item = items[index]
    if (item === undefined || item.pin === true || item.kind === 'opaque' || !scope(index)) return false
    if (isOfSummary(index)) return shown.renditions[index]?.rung === 'omitted'
    return input.standsWhole?.(index) !== true && options.dressed(index) === undefined
  }
  const steps = stepsIn(items)
  const sizes = groupSizes(items)
  const noted = steps.findLastIndex((step) => step.some(hasNote)) + 1
  return steps
    .slice(0, Math.max(noted, steps.length - newestSteps))
    .filter((step) => isWhole(items, step, talk) && holdsGroups(items, step, sizes) && step.every(mayGo))
    .map((step) => step.filter((index) => !isOfSummary(index)))
}

function groupSizes(items: readonly Item[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const { group } of items) if (group !== undefined) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  return sizes
}

/** Whether every group of a step lies in the step: the items of a group are shown or left out together. */
function holdsGroups(items: readonly Item[], step: Step, sizes: ReadonlyMap<string, number>): boolean {
  const own = groupSizes(step.flatMap((index) => items[index] ?? []))
  return [...own].every(([group, size]) => sizes.get(group) === size)
}

/** Replies of the model, each with the results behind it. What a user says belongs to none. */
export function stepsIn(items: readonly Item[]): readonly Step[] {
  const steps: number[][] = []
  let isOpen = false
  items.forEach((item, index) => {
    if (item.section !== 'history' || isAsked(item)) {
      isOpen = false
      return
    }
    const begins = item.role === 'assistant' && (!isOpen || items[index - 1]?.role !== 'assistant')
    if (begins) steps.push([index])
    else if (isOpen) steps.at(-1)?.push(index)
    isOpen ||= begins
  })
  return steps
}

/** Whether every call of a step has its result in it, and every result its call. */
function isWhole(items: readonly Item[], step: Step, talk: boolean): boolean {
  const calls = new Set<string | undefined>()
  const results = new Set<string | undefined>()
  for (const index of step) {
    const item = items[index]
    if (item?.kind === 'tool-call') calls.add(item.toolCallId ?? item.group)
    if (item?.kind === 'tool-result') results.add(item.toolCallId ?? item.group)
  }
  return (
    (talk || calls.size > 0) &&
    calls.size === results.size &&
    [...calls].every((id) => id !== undefined && results.has(id))
  )
}
