import type { BriefBudgets, CompactionOrder, CompactionState, Item, SummaryPolicy } from '../../core/index.ts'
import { isAboveTrigger, isBelowTrigger, usualCompaction } from '../../core/index.ts'
import { budgetsOf } from '../brief/budgets.ts'
import { dialogueOf } from '../summaries/dialogue.ts'
import { summarist } from '../summaries/summarist.ts'
import { inEffect } from './in-effect.ts'
import { begun, compacted, isWorth } from './compaction.ts'
import type { Compaction, Made } from './compaction.ts'
import { rerender } from './plan-context.ts'
import type { Choice } from './least-loss.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { standing } from './standing.ts'
import type { Standing } from './standing.ts'
import { isNoted } from './step-note.ts'
import { choiceOf } from './summarised.ts'
import { stepsIn } from './whole-steps.ts'

export interface OrderedCompaction extends Compaction {
  readonly state: CompactionState | undefined
}

/**
 * Compacts because somebody has ordered it, or because the prompt exceeds a trigger, whatever rewriting costs. Undefined where nobody has
 * ordered anything. An order is carried out once. A trigger compacts only what saves a share worth it, and fires again only once the prompt
 * has fallen well below it.
 */
export function orderedCompaction(
  context: PlanContext,
  held: Rendered,
  before: CompactionState | undefined,
): OrderedCompaction | undefined {
  const { compaction: order, overheadTokens, offerTokens = 0 } = context.input
  if (order === undefined) return undefined
  const { trigger, now } = order
  const figures = standing(context, held)
  const roomTokens = context.room.limitTokens + overheadTokens + offerTokens
  const size = { promptTokens: promptTokens(context, held), roomTokens }
  const isOrdered = now !== undefined && now !== before?.order
  const hasFired = before?.fired === true && trigger !== undefined && !isBelowTrigger(trigger, size)
  const isTriggered = trigger !== undefined && !hasFired && isAboveTrigger(trigger, size)
  const tried = isOrdered || isTriggered ? madeBy({ context, held, figures }, order) : undefined
  const made = isOrdered || (tried !== undefined && isWorth(tried.real, figures)) ? tried : undefined
  const after = { ...size, promptTokens: promptTokens(context, made?.shown ?? held) }
  const fired = trigger !== undefined && (made === undefined ? hasFired : !isBelowTrigger(trigger, after))
  const state = stateAfter(before, { order: isOrdered ? now : before?.order, fired })
  if (made === undefined) return { state }
  const cause = isOrdered || trigger?.type === undefined || trigger.type === 'manual' ? 'ordered' : trigger.type
  return { state, cause, rent: 0, chosen: begun(context, figures, made), paidRent: rentOf(context) }
}

/** As a receipt counts it. */
export function promptTokens({ input }: PlanContext, { renditions }: Rendered): number {
  return renditions.reduce((sum, { tokens }) => sum + tokens, input.overheadTokens)
}

function rentOf({ input: { ledger } }: PlanContext): number {
  return ledger?.layout === 'messages' ? (ledger.rent ?? 0) : 0
}

interface After {
  readonly order: string | undefined
  readonly fired: boolean
}

function stateAfter(before: CompactionState | undefined, { order, fired }: After): CompactionState | undefined {
  if (before === undefined && order === undefined && !fired) return undefined
  return { count: before?.count ?? 0, ...(order !== undefined && { order }), ...(fired && { fired }) }
}

interface Look {
  readonly context: PlanContext
  readonly held: Rendered
  readonly figures: Standing
}

/** Old steps as a brief; of a conversation without any, its old turns as a summary. Undefined where that saves nothing. */
function madeBy(look: Look, order: CompactionOrder): Made | undefined {
  const { context, held, figures } = look
  const { policy, ledger, items } = context.input
  if (policy.epochs.lowestRung === 'lossless' || ledger?.layout === 'payload') return undefined
  const keptFrom = newestMessages(items, order.preserveRecent ?? usualCompaction.preserveRecent)
  const newest = Math.max(1, stepsIn(items).filter((step) => (step.at(-1) ?? 0) >= keptFrom).length)
  const budgets = briefBudgets(policy.epochs.compaction, order.summaryBudget)
  const steps = compacted({ context, held, figures, policy: budgets, fewest: 1 }, newest)
  // Beside an agent's work the user's words stay: they are what it works by.
  if (steps !== undefined || items.some(({ kind }) => kind === 'tool-call')) return steps
  return summarisedTurns(look, keptFrom, order.summaryBudget ?? usualCompaction.summaryBudget)
}

/**
 * The first item of the newest messages. What stands side by side of one side counts as one message, since items do not tell more: so at
 * least so many stay.
 */
function newestMessages(items: readonly Item[], messages: number): number {
  let from = items.length
  let kept = 0
  let side: 'model' | 'other' | undefined
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const role = items[index]?.role
    if (role !== 'user' && role !== 'assistant' && role !== 'tool') continue
    const own = role === 'assistant' ? 'model' : 'other'
    if (own !== side) kept += 1
    if (kept > messages) break
    side = own
    from = index
  }
  return from
}

/** As the policy shares a brief out, or as usual, so that it comes to what was ordered. */
function briefBudgets(policy: BriefBudgets | undefined, ordered: number | undefined): BriefBudgets {
  if (policy !== undefined && ordered === undefined) return policy
  return budgetsOf(policy ?? usualShares, ordered ?? usualCompaction.summaryBudget)
}

const usualShares: BriefBudgets = { views: 50, viewSteps: 40, tasks: 10, outlines: 15, lines: 25 }

function summarisedTurns({ context, held, figures }: Look, keptFrom: number, mostTokens: number): Made | undefined {
  const { input, options, summarising } = context
  const { items, tokens, policy, handleKey, rehydration } = input
  const hasNote = isNoted(held.renditions)
  const stays = (index: number): boolean =>
    index >= keptFrom ||
    items[index]?.section !== 'history' ||
    options.dressed(index) !== undefined ||
    input.standsWhole?.(index) === true ||
    hasNote(index)
  const dialogue = dialogueOf(items, stays)
  const turns = dialogue.starts.filter((_, at) => (dialogue.starts[at + 1] ?? items.length) <= keptFrom).length
  if (turns === 0) return undefined
  const summaries: SummaryPolicy = { ...policy.summaries, mode: 'oneshot', blockTurns: 1, mostTokens }
  const given = input.summaries
  const summarise = summarist({
    ...summarising,
    items,
    tokens,
    dialogue,
    policy: summaries,
    handleKey,
    rehydration,
    given,
  })
  const summary = summarise({ first: 0, blocks: turns }, 'oneshot')
  const choice = withHandles(choiceOf(summary === undefined ? [] : [summary], held), rehydration)
  if (choice.size === 0) return undefined
  const from = Math.min(...choice.keys())
  const shown = rerender(context, held, from, choice)
  const real = inEffect(shown, from, { figures, context })
  return real.saving <= 0 ? undefined : { shown, real }
}

/** Where no tool follows handles none is shown; whoever ordered the compaction reads what is gone by the host's route. */
function withHandles(choice: Choice, rehydration: boolean): Choice {
  if (rehydration) return choice
  return new Map(Array.from(choice, ([index, rendition]) => [index, { ...rendition, unhandled: true }]))
}
