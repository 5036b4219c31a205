import type { EpisodeMask, EpisodeWindow, Item } from '../../core/index.ts'
import { isEpisode } from '../../core/index.ts'

/** The newest three whole and seven more in a row each; two and five where a pack is nearly full. */
export const usualEpisodes: EpisodeMask = { full: 3, rows: 7, pressure: { above: 0.8, full: 2, rows: 5 } }

/** The episodes of a pack, as indexes: those in one row each, and those that are left out. Newest are those of the latest turn, then the last. */
export function maskedEpisodes(
  items: readonly Item[],
  indexes: readonly number[],
  { full, rows }: EpisodeWindow,
): { readonly rows: readonly number[]; readonly out: readonly number[] } {
  const turnOf = (index: number): number => items[index]?.birthTurn ?? -1
  const newest = indexes.filter((index) => isEpisode(items[index])).toSorted((a, b) => turnOf(b) - turnOf(a) || b - a)
  return { rows: newest.slice(full, full + rows), out: newest.slice(full + rows) }
}

/** What holds for a pack of which so much is used, in [0, 1]. */
export function windowAt({ pressure, ...usual }: EpisodeMask, used: number): EpisodeWindow {
  return pressure !== undefined && used > pressure.above ? pressure : usual
}
