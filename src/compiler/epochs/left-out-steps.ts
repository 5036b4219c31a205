import type { Item, Rendition } from '../../core/index.ts'
import { contentKind, detectFailure, textLines, withoutHandle, writeMarker } from '../../ladders/index.ts'
import { handleFrom } from '../items/item-keys.ts'
import { isAsked } from '../items/asked.ts'
import { summaryKey } from '../summaries/summarist.ts'
import type { Choice } from './least-loss.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { isSummarised } from './summarised.ts'

export interface StepsToLeaveOut {
  /** Tokens by which what is shown must shrink. */
  readonly excessTokens: number
  /** Newest steps that stand. */
  readonly newestSteps: number
  /** Whether an item counts to what must shrink. */
  scope(index: number): boolean
}

/** A call with what came back, or several made at once; indexes of items. */
type Step = readonly number[]

/**
 * The oldest steps, all but the first, left out together: the first result of the conversation says which, what they did, and the handle that
 * brings all of them back. For conversations whose calls and lines of results fill the window by their number alone.
 */
export function leftOutSteps(context: PlanContext, shown: Rendered, wanted: StepsToLeaveOut): Choice {
  const [first, ...steps] = stepsThatMayGo(context, shown, wanted)
  const carrier = first?.find((index) => context.input.items[index]?.kind === 'tool-result')
  if (carrier === undefined) return new Map()
  const going: Step[] = []
  const failure = failureOf(context, carrier).join('\n')
  let saved = (shown.renditions[carrier]?.tokens ?? 0) - usualNote - context.summarising.count(failure)
  for (const step of steps) {
    if (saved >= wanted.excessTokens) break
    going.push(step)
    saved += step.reduce((sum, index) => sum + (shown.renditions[index]?.tokens ?? 0), 0)
  }
  return going.length < fewestSteps || saved <= 0 ? new Map() : noted(context, carrier, going)
}

/** What a note takes, about. */
const usualNote = 90
/** Fewer are not worth a note. */
const fewestSteps = 3

/** Whole steps of which nothing has to stand, oldest first; what a summary stands for already is no part of them. */
function stepsThatMayGo(
  { input, options }: PlanContext,
  shown: Rendered,
  { scope, newestSteps }: StepsToLeaveOut,
): readonly Step[] {
  const { items } = input
  const noteHandles = new Set(shown.renditions.filter(isNote).map(({ handle }) => handle))
  const isOfSummary = (index: number): boolean => {
    const rendition = shown.renditions[index]
    return isSummarised(rendition) && !noteHandles.has(rendition?.handle)
  }
  const mayGo = (index: number): boolean => {
    const item = items[index]
    if (item === undefined || item.pin === true || item.kind === 'opaque' || !scope(index)) return false
    if (isOfSummary(index)) return shown.renditions[index]?.rung === 'omitted'
    return input.standsWhole?.(index) !== true && options.dressed(index) === undefined
  }
  const steps = stepsIn(items)
  const sizes = groupSizes(items)
  return steps
    .slice(0, Math.max(0, steps.length - newestSteps))
    .filter((step) => isWhole(items, step) && holdsGroups(items, step, sizes) && step.every(mayGo))
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

const noteStart = '[Steps '

/** Whether it says which steps are left out; a later note may take its place. */
function isNote({ rung, text }: Rendition): boolean {
  return rung === 'summary' && text.startsWith(noteStart)
}

/** Replies of the model, each with the results behind it. What a user says belongs to none. */
function stepsIn(items: readonly Item[]): readonly Step[] {
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
function isWhole(items: readonly Item[], step: Step): boolean {
  const calls = new Set<string | undefined>()
  const results = new Set<string | undefined>()
  for (const index of step) {
    const item = items[index]
    if (item?.kind === 'tool-call') calls.add(item.toolCallId ?? item.group)
    if (item?.kind === 'tool-result') results.add(item.toolCallId ?? item.group)
  }
  return calls.size > 0 && calls.size === results.size && [...calls].every((id) => id !== undefined && results.has(id))
}

function noted(context: PlanContext, carrier: number, steps: readonly Step[]): Choice {
  const { input, options, summarising } = context
  const gone = steps.flat()
  const covered = [carrier, ...gone]
  const key = summaryKey(summarising.hash, covered.map(summarising.contentHash))
  const handle = handleFrom(summarising.hash, input.handleKey, key)
  const fullTokens = covered.reduce((sum, index) => sum + (input.tokens[index] ?? 0), 0)
  const numbers = gone
    .filter((index) => input.items[index]?.kind === 'tool-call')
    .map((index) => options.steps[index] ?? 0)
  const values = { first: Math.min(...numbers), last: Math.max(...numbers), tokens: fullTokens, handle }
  const failures = [...failureOf(context, carrier), ...newestFailures(context, gone)]
  const note = [writeMarker('steps', values), ...didLines(context, gone), ...failures].join('\n')
  const text = input.rehydration ? note : withoutHandle(note, handle)
  const shared = { handle, ...(!input.rehydration && { unhandled: true }) }
  const tokens = summarising.count(text)
  const choice = new Map<number, Rendition>([
    [carrier, { rung: 'summary', text, tokens, fidelity: tokens / Math.max(1, fullTokens), ...shared }],
  ])
  for (const index of gone) choice.set(index, { rung: 'omitted', text: '', tokens: 0, fidelity: 0, ...shared })
  return choice
}

const mostNames = 8

/** Which tools were called how often, and which files were changed. */
function didLines({ input: { items }, facts }: PlanContext, gone: readonly number[]): readonly string[] {
  const times = new Map<string, number>()
  const files = new Set<string>()
  for (const index of gone) {
    const item = items[index]
    if (item?.kind !== 'tool-call') continue
    const name = item.toolName ?? 'tool'
    times.set(name, (times.get(name) ?? 0) + 1)
    const { writes, edits } = facts.ofCall(item.text)
    for (const path of [...edits, ...writes]) {
      files.delete(path)
      files.add(path)
    }
  }
  const most = [...times].toSorted(([a, more], [b, less]) => less - more || (a < b ? -1 : 1)).slice(0, mostNames)
  // The newest are those that work goes on with.
  const changed = [...files].toReversed()
  const rest = changed.length > mostNames ? ` and ${changed.length - mostNames} more` : ''
  return [
    `Called: ${most.map(([name, count]) => (count === 1 ? name : `${name} ${count} times`)).join(', ')}.`,
    ...(changed.length === 0 ? [] : [`Changed: ${changed.slice(0, mostNames).join(', ')}${rest}.`]),
  ]
}

/** Of the steps left out: what has failed may be tried again. */
const mostFailures = 2
const longestFailure = 160

function newestFailures(context: PlanContext, gone: readonly number[]): readonly string[] {
  const found: string[] = []
  for (const index of gone.toReversed()) {
    if (found.length === mostFailures) break
    found.unshift(...failureOf(context, index))
  }
  return found
}

/** The step of a result that states a failure, and the line that names the failure. */
function failureOf({ input, options }: PlanContext, index: number): readonly string[] {
  const item = input.items[index]
  if (item?.kind !== 'tool-result' || input.hiddenTools?.includes(item.toolName ?? '') === true) return []
  const { lines } = textLines(item.text)
  const { blocks, summary } = detectFailure(lines, contentKind(item.text, item.toolName), item.text)
  const block = blocks.find(({ detailed }) => detailed) ?? blocks[0]
  const line = lines[block?.message ?? summary ?? -1]?.trim().slice(0, longestFailure).toWellFormed()
  return line === undefined || line === '' ? [] : [`Failed in step ${options.steps[index] ?? 0}: ${line}`]
}
