import type { Item } from '../../core/index.ts'
import { exchangeStarts } from '../items/conversation-tail.ts'

/** The turns of a conversation, and what of each a summary may stand for. */
export interface Dialogue {
  /** Where each turn begins, as indexes of items, oldest first. */
  readonly starts: readonly number[]
  /** Indexes of the items of a turn that a summary may stand for, in order; none of a turn that must stand as it is. */
  of(turn: number): readonly number[]
}

/** Whoever asks for an exact text must be read exactly. */
const asksForExactness =
  /\b(?:exactly|verbatim|word[- ]for[- ]word|character[- ]for[- ]character|byte[- ]for[- ]byte|literally)\b/i

/**
 * Reads a conversation as dialogue: what users and the model say. Calls and results are not summarised, nor what stands in one reply with
 * a call and reasoning, in one message with media, pinned, frozen, or shown otherwise than it came.
 */
export function dialogueOf(items: readonly Item[], isDressed: (index: number) => boolean): Dialogue {
  const starts = exchangeStarts(items.length, (index) =>
    items[index]?.section === 'history' ? items[index] : undefined,
  )
  return {
    starts,
    of(turn) {
      const end = starts[turn + 1] ?? items.length
      return runsIn(items, starts[turn] ?? end, end).flatMap((run) => summarised(items, run, isDressed))
    },
  }
}

/** Items that one side says without the other in between. */
function runsIn(items: readonly Item[], start: number, end: number): readonly (readonly number[])[] {
  const runs: number[][] = []
  let side: Item['role']
  for (let index = start; index < end; index += 1) {
    const item = items[index]
    if (item?.section !== 'history') continue
    const last = runs.at(-1)
    if (last !== undefined && item.role === side) last.push(index)
    else runs.push([index])
    side = item.role
  }
  return runs
}

function summarised(
  items: readonly Item[],
  run: readonly number[],
  isDressed: (index: number) => boolean,
): readonly number[] {
  const kinds = new Set(run.map((index) => items[index]?.kind))
  const [first = 0] = run
  const role = items[first]?.role
  if (role !== 'user' && role !== 'assistant') return []
  if (kinds.has('media') || kinds.has('opaque') || kinds.has('evidence')) return []
  const hasCall = kinds.has('tool-call') || kinds.has('tool-result')
  if (hasCall && kinds.has('reasoning')) return []
  const mayGo = (index: number): boolean => {
    const item = items[index]
    if (item === undefined || item.pin === true || isDressed(index)) return false
    if (item.kind === 'reasoning') return true
    return item.kind === 'text' && item.frozen !== true && !(role === 'user' && asksForExactness.test(item.text))
  }
  const said = run.filter((index) => items[index]?.kind === 'text' || items[index]?.kind === 'reasoning')
  // A reply of which something must stay keeps its reasoning with it.
  if (kinds.has('reasoning') && !said.every(mayGo)) return []
  return said.filter(mayGo)
}
