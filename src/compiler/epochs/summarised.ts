import type { Rendition } from '../../core/index.ts'
import { handleFrom } from '../items/item-keys.ts'
import { dialogueOf } from '../summaries/dialogue.ts'
import type { Dialogue } from '../summaries/dialogue.ts'
import { planSummaries } from '../summaries/plan-segments.ts'
import { turnsOfBlock } from '../summaries/segments.ts'
import { summarist, summaryKey, withinBudget } from '../summaries/summarist.ts'
import type { MadeSummary } from '../summaries/summarist.ts'
import type { Band } from './least-loss.ts'
import { rerender } from './plan-context.ts'
import type { ConversationInput, PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { isNoted } from './step-note.ts'

export interface SummaryScope extends Band {
  readonly forced: Set<number>
  scope(index: number): boolean
}

/**
 * The oldest complete blocks of dialogue as their summaries, where the policy wants them and the history takes more than it may. The first
 * item that a summary stands for shows it, the others are not shown; its handle brings all of them back. What a note stands for stays with it.
 */
export function withSummaries(context: PlanContext, shown: Rendered, scope: SummaryScope): Rendered {
  const { input, options } = context
  if (input.policy.summaries === undefined || !maySummarise(input)) return shown
  const isHistory = (index: number): boolean => input.items[index]?.section === 'history' && scope.scope(index)
  const sum = (counts: (index: number) => boolean): number =>
    shown.renditions.reduce((all, { tokens }, index) => (counts(index) ? all + tokens : all), 0)
  const all = sum(scope.scope)
  if (all <= scope.high) return shown
  const historyTokens = sum(isHistory)
  const budgetTokens = scope.low - (all - historyTokens)
  const policy = withinBudget(input.policy.summaries, budgetTokens)
  const hasNote = isNoted(shown.renditions)
  const stays = (index: number): boolean => !isHistory(index) || options.dressed(index) !== undefined || hasNote(index)
  const dialogue = dialogueOf(input.items, stays)
  const turns = dialogue.starts.length
  const plan = planSummaries({
    turns,
    // What is asked now.
    standing: 1,
    turnTokens: historyTokens / Math.max(1, turns),
    before: blocksShown(dialogue, shown, turnsOfBlock(policy)),
    budgetTokens,
    limitTokens: scope.high - (all - historyTokens),
    policy,
    tokensWith: (summaries) =>
      historyTokens + summaries.reduce((more, one) => more + one.tokens - shownOf(one, shown), 0),
    summaryOf: summarist({
      ...context.summarising,
      items: input.items,
      tokens: input.tokens,
      dialogue,
      policy,
      handleKey: input.handleKey,
      rehydration: input.rehydration,
      given: input.summaries,
    }),
  })
  const choice = choiceOf(plan?.summaries ?? [], shown)
  if (choice.size === 0) return shown
  for (const index of choice.keys()) scope.forced.add(index)
  return rerender(context, shown, Math.min(...choice.keys()), choice)
}

/** Whether the policy wants summaries, and they may stand in this request. */
export function maySummarise({
  policy: { summaries },
  rehydration,
}: Pick<ConversationInput, 'policy' | 'rehydration'>): boolean {
  return summaries !== undefined && summaries.mode !== 'off' && (rehydration || summaries.recall !== 'required')
}

/** Complete blocks that no longer stand as they were said. */
function blocksShown(dialogue: Dialogue, { renditions }: Rendered, blockTurns: number): number {
  const turn = dialogue.starts.findLastIndex((_, at) =>
    dialogue.of(at).some((index) => isSummarised(renditions[index])),
  )
  return Math.ceil((turn + 1) / blockTurns)
}

export function isSummarised(rendition: Pick<Rendition, 'rung'> | undefined): boolean {
  return rendition?.rung === 'omitted' || rendition?.rung === 'summary'
}

function shownOf({ covered }: MadeSummary, { renditions }: Rendered): number {
  return covered.reduce((sum, index) => sum + (renditions[index]?.tokens ?? 0), 0)
}

/** Only what changes. */
export function choiceOf(summaries: readonly MadeSummary[], { renditions }: Rendered): ReadonlyMap<number, Rendition> {
  const choice = new Map<number, Rendition>()
  for (const summary of summaries)
    for (const [at, index] of summary.covered.entries()) {
      const rendition = at === 0 ? carrier(summary) : omittedBy(summary)
      const before = renditions[index]
      if (before?.text !== rendition.text || before.rung !== rendition.rung) choice.set(index, rendition)
    }
  return choice
}

function carrier({ text, tokens, sourceTokens, handle }: MadeSummary): Rendition {
  return { rung: 'summary', text, tokens, fidelity: tokens / Math.max(1, sourceTokens), handle }
}

function omittedBy({ handle }: MadeSummary): Rendition {
  return { rung: 'omitted', text: '', tokens: 0, fidelity: 0, handle }
}

/** What stands for other words than those that it was made of is no summary any more: a client has changed what was said. */
export function validSummaries({
  input,
  view,
  summarising,
}: Pick<PlanContext, 'input' | 'view' | 'summarising'>): readonly (Rendition | undefined)[] {
  if (!view.diverged || !view.frozen.some(isSummarised)) return view.frozen
  const byHandle = new Map<string, number[]>()
  for (const [index, rendition] of view.frozen.entries()) {
    if (rendition?.handle === undefined || !isSummarised(rendition)) continue
    byHandle.set(rendition.handle, [...(byHandle.get(rendition.handle) ?? []), index])
  }
  const stale = new Set<number>()
  for (const [handle, covered] of byHandle) {
    const key = summaryKey(summarising.hash, covered.map(summarising.contentHash))
    if (handleFrom(summarising.hash, input.handleKey, key) !== handle) for (const index of covered) stale.add(index)
  }
  return stale.size === 0
    ? view.frozen
    : view.frozen.map((rendition, index) => (stale.has(index) ? undefined : rendition))
}
