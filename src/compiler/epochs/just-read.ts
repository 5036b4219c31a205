import type { JustReadPolicy, Rendition } from '../../core/index.ts'
import { isOfCoding } from './coding-kinds.ts'
import { inEffect } from './in-effect.ts'
import { knownElsewhere } from './known-elsewhere.ts'
import { namesOfReply } from './names-of-reply.ts'
import { rerender } from './plan-context.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { canBear, mostDebt, standing } from './standing.ts'

/** A conversation after what its newest reply has just read was looked at. */
export interface AfterReading {
  readonly shown: Rendered
  /** Everything from this item on is written anew. */
  readonly from: number
  /** Forms that do not pay by themselves; where an epoch begins they cost nothing more. */
  readonly riding: ReadonlyMap<number, Rendition>
}

const noForms: ReadonlyMap<number, Rendition> = new Map()

/**
 * Trims the results that the last request was the first to send. Only the reply that has read them stands behind them, so that little is written anew;
 * at any later time all that follows would be. The request is rendered again from there on: what is new refers to nothing that has gone.
 */
export function afterReading(context: PlanContext, held: Rendered): AfterReading {
  const { input, view } = context
  const unchanged: AfterReading = { shown: held, from: view.aligned, riding: noForms }
  const { epochs } = input.policy
  const { justRead } = epochs
  if (justRead === undefined || !mayTrim(context)) return unchanged
  const forms = formsOf(context, held, justRead)
  const from = Math.min(...forms.keys())
  if (forms.size === 0) return unchanged
  const figures = standing(context, held)
  const shown = rerender(context, held, from, new Map([...fetched(context, held), ...forms]))
  const { saving, rewriteCost } = inEffect(shown, from, { figures, context })
  const { payWithin = usualPayWithin } = justRead
  const pays = saving > 0 && rewriteCost <= payWithin * input.prices.read * saving
  if (pays && canBear(figures.holdCost + rewriteCost, mostDebt(epochs, figures), epochs, figures))
    return { shown, from, riding: noForms }
  return { ...unchanged, riding: forms }
}

const usualPayWithin = 12

/** Whether the conversation goes on from a request of this layout, and handles can be followed. */
function mayTrim({ input, view, options }: PlanContext): boolean {
  const { ledger, rehydration, policy } = input
  if (!rehydration || policy.epochs.lowestRung === 'lossless') return false
  const { steps = Number.POSITIVE_INFINITY } = policy.epochs.justRead ?? {}
  if ((options.steps.at(-1) ?? 0) > steps) return false
  return ledger?.layout === 'messages' && !view.diverged && !view.reopened
}

/** The results that the newest reply was the first to read. */
function justReadOf({ input: { items, hiddenTools = [] }, view: { aligned } }: PlanContext): readonly number[] {
  const start = items.findLastIndex(({ role }, index) => index < aligned && role === 'assistant') + 1
  if (!items.some(({ role }, index) => index >= aligned && role === 'assistant')) return []
  return items.flatMap(({ kind, toolName = '', pin, frozen }, index) =>
    index >= start &&
    index < aligned &&
    kind === 'tool-result' &&
    pin !== true &&
    frozen !== true &&
    !hiddenTools.includes(toolName)
      ? [index]
      : [],
  )
}

const usualLeastTokens = 150
const usualLeastShare = 0.25

/** How old a result counts as that was just read: as old as when the next reply may use it. */
const ageAfterReading = 4

function formsOf(
  context: PlanContext,
  { renditions }: Rendered,
  justRead: JustReadPolicy,
): ReadonlyMap<number, Rendition> {
  const { input, options, facts } = context
  const { lineWorth, leastTokens = usualLeastTokens, leastShare = usualLeastShare } = justRead
  const isWhole = (index: number): boolean => {
    const { rung = 'omitted', tokens = 0 } = renditions[index] ?? {}
    return (rung === 'full' || rung === 'lossless') && tokens >= leastTokens
  }
  // What tools return as data lost lines that short tasks came back to.
  const members = justReadOf(context).filter((index) => isWhole(index) && isOfCoding(facts, input.items[index]))
  const found = new Map<number, Rendition>()
  if (members.length === 0) return found
  const known = knownElsewhere({ ...options, renditions, members, policy: { ...input.policy.epochs, lineWorth } })
  const reply = namesOfReply(input.items.slice(context.view.aligned), facts)
  const keeps = { ...reply, around: justRead.around }
  for (const index of members.toReversed()) {
    const whole = renditions[index]
    if (whole === undefined) continue
    const offered = options.rungsOf(index, { ...known.of(index), age: ageAfterReading, keeps })
    // Where no line is worth its tokens one line remains; what the reply names is always worth it.
    const form = offered.findLast(({ rung, expendable }) => rung === 'trimmed' || expendable === true)
    const isShort = form !== undefined && form.tokens <= whole.tokens * (1 - leastShare)
    if (isShort) found.set(index, form)
    known.add(index, isShort ? form : whole)
  }
  return found
}

/** What a tool of ours has just brought back stands whole, whatever stands before it. */
function fetched(
  { input: { items, hiddenTools = [] }, view }: PlanContext,
  { renditions }: Rendered,
): ReadonlyMap<number, Rendition> {
  return new Map(
    items.flatMap(({ toolName = '' }, index) => {
      const shown = renditions[index]
      const isOurs = index >= view.aligned && hiddenTools.includes(toolName)
      return isOurs && shown !== undefined ? [[index, shown] as const] : []
    }),
  )
}
