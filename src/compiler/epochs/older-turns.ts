import type { Item } from '../../core/index.ts'
import { isAsked } from '../items/asked.ts'
import { exchangeStarts, tailStart } from '../items/conversation-tail.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'

/**
 * What gives way once more turns stand verbatim than may, and those before them take more than they may: all that lies before somewhat
 * fewer turns, so that it is not so again with the next one.
 */
export function olderTurns(
  { input: { items, policy }, room: { turns } }: PlanContext,
  shown: Rendered,
): ReadonlySet<number> {
  if (turns === undefined) return new Set()
  const starts = exchangeStarts(items.length, (index) =>
    items[index]?.section === 'history' ? items[index] : undefined,
  )
  const { recentTurns, olderTokens } = turns
  const before = (count: number): readonly number[] => olderThan(items, tailStart(starts, count, items.length))
  const older = before(recentTurns)
  const isWhole = older.some((index) => isAsked(items[index]) && shown.renditions[index]?.rung === 'full')
  const tokens = older.reduce((sum, index) => sum + (shown.renditions[index]?.tokens ?? 0), 0)
  if (!isWhole || tokens <= olderTokens) return new Set()
  return new Set(before(Math.max(1, Math.ceil(recentTurns * policy.pressure.prepare))))
}

function olderThan(items: readonly Item[], end: number): readonly number[] {
  return Array.from({ length: end }, (_, index) => index).filter((index) => items[index]?.section === 'history')
}
