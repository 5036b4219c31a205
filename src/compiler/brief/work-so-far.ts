import type { Item } from '../../core/index.ts'
import { factReader } from '../../ladders/index.ts'
import { stepNumbers } from '../items/step-numbers.ts'
import { failuresOf } from './failures.ts'
import { fileWork } from './file-work.ts'
import { callsIn } from './gone-calls.ts'
import { Room } from './room.ts'
import { viewsOf } from './views.ts'

/** What whoever goes on with the work of a conversation must know of it. */
export interface WorkSoFar {
  /** A line for each failure that nothing has cured, the oldest first. */
  readonly failures: readonly string[]
  /** Views of files around their edits, the file that was edited last first. */
  readonly views: readonly string[]
}

/**
 * Failures that stand and files as they are after the calls of a conversation. The function that comes back gives as much of both as has room
 * in so many tokens: the newest failures come first, then views. Pure.
 */
export function workSoFar(
  items: readonly Item[],
  count: (text: string) => number,
): (budgetTokens: number) => WorkSoFar {
  const gone = Array.from(items.keys())
  const input = { items, steps: stepNumbers(items), gone, facts: factReader() }
  const calls = callsIn(input)
  const works = fileWork(input, calls)
  const open = [...failuresOf(calls, input)].filter(([, { curedAt }]) => curedAt === undefined)
  const newestFirst = open.toSorted(([a], [b]) => b - a)
  const stated = newestFirst.map(([step, { line }]) => `Failed in step ${step}: ${line}`)
  return (budgetTokens) => {
    const room = new Room(budgetTokens, count)
    const failures = stated.filter((line) => room.take(line))
    return { failures: failures.toReversed(), views: viewsOf(works, room).map(({ text }) => text) }
  }
}
