import type { Item } from '../../core/index.ts'
import { beginsTurn, isAsked } from '../items/asked.ts'

/**
 * Where the episodes of a conversation begin, as places in `history`, oldest first: where the user speaks, and where the model
 * goes on after results of tools. A call and its result are of one episode.
 */
export function episodeStarts(items: readonly Item[], history: readonly number[]): readonly number[] {
  const starts: number[] = []
  for (const [place, index] of history.entries()) {
    const before = items[history[place - 1] ?? -1]
    if (place === 0 || begins(items[index], before)) starts.push(place)
  }
  return starts
}

function begins(item: Item | undefined, before: Item | undefined): boolean {
  if (isAsked(item)) return beginsTurn(item, before)
  return before?.kind === 'tool-result' && item?.kind !== 'tool-result'
}

/** What lies before the newest `count` episodes. */
export function olderThanEpisodes(
  items: readonly Item[],
  history: readonly number[],
  count: number,
): readonly number[] {
  const start = episodeStarts(items, history).at(-count)
  return start === undefined ? [] : history.slice(0, start)
}
