import type { Rendition } from '../../core/index.ts'
import { withoutHandle, writeMarker } from '../../ladders/index.ts'
import { handleFrom } from '../items/item-keys.ts'
import { summaryKey } from '../summaries/summarist.ts'
import type { Choice } from './least-loss.ts'
import type { PlanContext } from './plan-context.ts'

interface Note {
  /** The result that shows the note. */
  readonly carrier: number
  /** The items that the note stands for, besides the carrier. */
  readonly gone: readonly number[]
  /** What follows the heading. */
  readonly text: string
}

/** Steps left out together: the carrier shows a heading with the handle that brings all of them back, and a text behind it. */
export function stepNote(context: PlanContext, { carrier, gone, text: said }: Note): Choice {
  const { input, options, summarising } = context
  const covered = [carrier, ...gone]
  const key = summaryKey(summarising.hash, covered.map(summarising.contentHash))
  const handle = handleFrom(summarising.hash, input.handleKey, key)
  const fullTokens = covered.reduce((sum, index) => sum + (input.tokens[index] ?? 0), 0)
  const calls = gone.filter((index) => input.items[index]?.kind === 'tool-call')
  let [first, last] = [Infinity, 0]
  for (const index of calls.length === 0 ? [carrier] : calls) {
    first = Math.min(first, options.steps[index] ?? 0)
    last = Math.max(last, options.steps[index] ?? 0)
  }
  const note = `${writeMarker('steps', { first, last, tokens: fullTokens, handle })}\n${said}`
  const text = input.rehydration ? note : withoutHandle(note, handle)
  const shared = { handle, ...(!input.rehydration && { unhandled: true }) }
  const tokens = summarising.count(text)
  const choice = new Map<number, Rendition>([
    [carrier, { rung: 'summary', text, tokens, fidelity: tokens / Math.max(1, fullTokens), ...shared }],
  ])
  for (const index of gone) choice.set(index, { rung: 'omitted', text: '', tokens: 0, fidelity: 0, ...shared })
  return choice
}

const noteStart = '[Steps '

/** Whether it says which steps are left out; a later note may take its place. */
export function isNote({ rung, text }: Rendition): boolean {
  return rung === 'summary' && text.startsWith(noteStart)
}

/** Whether a note stands for an item, by what a request shows: the item carries the note, or is left out for it. */
export function isNoted(renditions: readonly (Rendition | undefined)[]): (index: number) => boolean {
  const handles = new Set(renditions.flatMap((one) => (one !== undefined && isNote(one) ? (one.handle ?? []) : [])))
  return (index) => {
    const { rung, handle } = renditions[index] ?? {}
    return (rung === 'summary' || rung === 'omitted') && handle !== undefined && handles.has(handle)
  }
}
