import type { Item } from '../../core/index.ts'
import { beginsTurn } from './asked.ts'

/**
 * Exchanges that the tail of a conversation holds where nobody says how many. The tail is the newest part of a conversation, which stands as it
 * was said; its exchanges are turns of the user, each with all that answers it. A section's `recentTurns` counts the same.
 */
export const tailExchanges = 10

/** Where exchanges begin, as places of a conversation, oldest first. What comes before the first belongs to none. */
export function exchangeStarts(length: number, itemAt: (place: number) => Item | undefined): readonly number[] {
  const starts: number[] = []
  for (let place = 0; place < length; place += 1) if (beginsTurn(itemAt(place), itemAt(place - 1))) starts.push(place)
  return starts
}

/** Where the tail of so many exchanges begins: at 0 where there are no more than those, at the end where it holds none. */
export function tailStart(starts: readonly number[], exchanges: number, length: number): number {
  return exchanges === 0 ? length : (starts.at(-exchanges) ?? 0)
}

/** How many exchanges begin at a place or after it. */
export function exchangesSince(starts: readonly number[], place: number): number {
  return starts.filter((start) => start >= place).length
}
