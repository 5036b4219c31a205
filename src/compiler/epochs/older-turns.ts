import type { Item } from '../../core/index.ts'
import { beginsTurn, isAsked } from '../items/asked.ts'
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
  const starts = turnStarts(items)
  const { recentTurns, olderTokens } = turns
  const before = (count: number): readonly number[] => olderThan(items, starts.at(-count) ?? 0)
  const older = before(recentTurns)
  const isWhole = older.some((index) => isAsked(items[index]) && shown.renditions[index]?.rung === 'full')
  const tokens = older.reduce((sum, index) => sum + (shown.renditions[index]?.tokens ?? 0), 0)
  if (!isWhole || tokens <= olderTokens) return new Set()
  return new Set(before(Math.max(1, Math.ceil(recentTurns * policy.pressure.prepare))))
}

function turnStarts(items: readonly Item[]): readonly number[] {
  const history = items.map((item) => (item.section === 'history' ? item : undefined))
  return Array.from(history.keys()).filter((index) => beginsTurn(history[index], history[index - 1]))
}

function olderThan(items: readonly Item[], end: number): readonly number[] {
  return Array.from({ length: end }, (_, index) => index).filter((index) => items[index]?.section === 'history')
}
