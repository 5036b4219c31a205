import type { Item } from '../../core/index.ts'
import type { WorkInput } from './brief-input.ts'

/** A call of the model with what came back. */
export interface GoneCall {
  readonly step: number
  readonly call: Item
  readonly result?: Item
  /** Whether the brief stands for it, or for what came back. */
  readonly isGone: boolean
  /** Whether it called a tool of ours. */
  readonly isHidden: boolean
}

/** The calls of a conversation in their order. */
export function callsIn({ items, steps, gone, hiddenTools = [] }: WorkInput): readonly GoneCall[] {
  const isGone = new Set(gone)
  const results = new Map<number, { readonly result: Item; readonly isGone: boolean }>()
  items.forEach((result, index) => {
    if (result.kind === 'tool-result') results.set(steps[index] ?? 0, { result, isGone: isGone.has(index) })
  })
  return items.flatMap((call, index): readonly GoneCall[] => {
    if (call.kind !== 'tool-call') return []
    const step = steps[index] ?? 0
    const answer = results.get(step)
    const isHidden = hiddenTools.includes(call.toolName ?? '')
    const isOut = isGone.has(index) || answer?.isGone === true
    return [{ step, call, ...(answer && { result: answer.result }), isGone: isOut, isHidden }]
  })
}

/** The name of the tool that was called, as it may stand in a line. */
export function toolOf({ toolName = 'tool' }: Item): string {
  return toolName.replaceAll(/[^\w.:/-]+/g, '_').slice(0, 60)
}
