import { maskedEpisodes, windowAt } from '../relief/episode-mask.ts'
import { isAboveFloor, show } from './payload-work.ts'
import type { Work } from './payload-work.ts'
import { lowestFirst, ofTier } from '../relief/relief-view.ts'

/** The newest episodes stand, older ones in a row each, the rest is left out; whatever room there is. */
export function maskEpisodes(work: Work): void {
  const { view, limits, groupOf, ladder, episodes } = work.input
  const shown = ofTier(view, 3).filter((index) => work.forms[index] !== undefined && groupOf(index).length === 1)
  const masked = maskedEpisodes(view.items, shown, windowAt(episodes, work.tokens / Math.max(1, limits.available)))
  for (const index of masked.rows) {
    const full = work.forms[index]?.tokens ?? 0
    const row = ladder(index).find(({ rendition, tokens }) => rendition.rung === 'line' && tokens < full)
    if (row !== undefined) show(work, index, row)
  }
  for (const index of masked.out.filter((at) => view.mayLose(view.items[at]?.section ?? ''))) {
    show(work, index, undefined)
    work.left.set(index, 'pressure')
  }
}

/**
 * What is worth most stands whole until a share of the budget is used, what follows in one line each up to another, and the rest is left
 * out; each only where it still fits. What is not evidence or memory counts first. Groups stand as they are.
 */
export function disclose(work: Work): void {
  const { view, limits, groupOf, ladder, disclosure } = work.input
  const members = [...ofTier(view, 2), ...ofTier(view, 3)].filter(
    (index) => work.forms[index] !== undefined && groupOf(index).length === 1,
  )
  let used = members.reduce((sum, index) => sum - (work.forms[index]?.tokens ?? 0), work.tokens)
  for (const index of lowestFirst(view, members).toReversed()) {
    const shown = work.forms[index]
    const full = shown?.tokens ?? 0
    if (used + full > disclosure.full * limits.available) {
      // What is too short for a line of its own is one.
      const line = ladder(index).find(({ rendition, tokens }) => rendition.rung === 'line' && tokens < full) ?? shown
      const fits = used < disclosure.line * limits.available && used + (line?.tokens ?? 0) <= limits.available
      const section = view.items[index]?.section ?? ''
      if (fits && line !== shown) show(work, index, line)
      else if (!fits && view.mayLose(section) && isAboveFloor(work, [index], full)) {
        show(work, index, undefined)
        work.left.set(index, 'pressure')
      }
    }
    used += work.forms[index]?.tokens ?? 0
  }
}
