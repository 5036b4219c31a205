import type { Item, SummaryMode } from '../../core/index.ts'
import type { CompilerParts } from './compiler-parts.ts'
import type { Prepared } from '../receipt/receipt-of.ts'
import { dialogueOf } from '../summaries/dialogue.ts'
import type { Dialogue } from '../summaries/dialogue.ts'
import { modesOf } from '../summaries/plan-segments.ts'
import { segmentsOf, turnsOfBlock } from '../summaries/segments.ts'
import { summarist, withinBudget } from '../summaries/summarist.ts'
import type { MadeSummary, PayloadSummary } from '../summaries/summarist.ts'
import { wrappedSummary } from '../summaries/summary-text.ts'

/** Share of the room that summaries may take where the policy bounds them by nothing less. */
const roomShare = 0.25
const usualMost = 2000

export interface SummaryRoom {
  /** For the items; what no item owns is taken off. */
  readonly itemTokens: number
  /** What must stand, whatever happens. */
  readonly standingTokens: number
}

/** Tokens that are kept for the summaries of a conversation that has to be cut: the first thing that its budget pays for. */
export function summaryRoom({ input, budget }: Pick<Prepared, 'input' | 'budget'>, room: SummaryRoom): number {
  const { mostTokens = usualMost } = input.policy.summaries ?? {}
  const most = budget.sections.find(({ section }) => section === 'history')?.max ?? Infinity
  const own = Math.min(most, room.itemTokens - room.standingTokens)
  return Math.max(0, Math.floor(Math.min(mostTokens, Math.max(own * roomShare, usualLeast), own / 2)))
}

/** What stands around a summary: its tags, its marker and the label. */
const headTokens = 48

/** A summary needs some room, however small the window. */
const usualLeast = 120

/** Whether the policy wants the conversation of a payload summarised where it is cut. */
export function summarises({ policy, layout }: Prepared['input']): boolean {
  return layout === 'payload' && policy.summaries !== undefined && policy.summaries.mode !== 'off'
}

/**
 * What stands for the complete blocks that a payload shows nothing of, in as many tokens as were kept for it: by the policy's mode, or one
 * that takes less. Undefined where no block is gone.
 */
export function payloadSummary(
  parts: CompilerParts,
  prepared: Prepared,
  { isShown, roomTokens }: { isShown(index: number): boolean; readonly roomTokens: number },
): PayloadSummary | undefined {
  const { input, list, ranked } = prepared
  const { summaries } = input.policy
  if (!summarises(input) || summaries === undefined || roomTokens <= 0) return undefined
  const policy = withinBudget(summaries, 2 * (roomTokens - headTokens - parts.messageTokens))
  const items = list.candidates.map(({ item }) => item)
  const dialogue = dialogueOf(items, (index) => list.candidates[index]?.dress !== undefined)
  const blocks = goneBlocks(dialogue, turnsOfBlock(policy), isShown)
  if (blocks === 0) return undefined
  const summaryOf = summarist({
    items,
    tokens: ranked.fullTokens,
    dialogue,
    policy,
    hash: parts.hash,
    handleKey: input.handleKey ?? '',
    rehydration: input.rehydration ?? false,
    given: input.summaries,
    memo: parts.summaries,
    contentHash: (index) => list.candidates[index]?.contentHash ?? '',
    count: (text) => parts.itemTokens(aTurn, text),
  })
  const made = (mode: SummaryMode): readonly MadeSummary[] =>
    segmentsOf(blocks, mode, policy).flatMap((segment) => summaryOf(segment, mode) ?? [])
  for (const mode of modesOf(policy)) {
    const all = made(mode)
    const text = wrappedSummary(all.flatMap(({ lines }) => lines))
    if (all.length > 0 && parts.piece(text).tokens + parts.messageTokens <= roomTokens) return { text, made: all }
  }
  return undefined
}

const aTurn: Item = { id: 'summary', section: 'history', kind: 'text', role: 'user', text: '' }

/** How many complete blocks, from the oldest on, of which nothing is shown that a summary could stand for. */
function goneBlocks(dialogue: Dialogue, blockTurns: number, isShown: (index: number) => boolean): number {
  const { starts } = dialogue
  const shown = starts.findIndex((_, turn) => dialogue.of(turn).some(isShown))
  return Math.floor((shown === -1 ? starts.length : shown) / blockTurns)
}
