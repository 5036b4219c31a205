import { callsByStep } from './calls-by-step.ts'
import type { CallsOptions } from './calls-by-step.ts'

/** Views of one file of which none counts as old: a part that was looked at later does not show what an earlier view does. */
const viewsOfFile = 2

/**
 * Indexes of the results that show a file as it was last looked at. Edits quote such lines many steps later, so they age more
 * slowly than others do.
 */
export function newestViews(options: CallsOptions): ReadonlySet<number> {
  const { items } = options
  const callOf = callsByStep(options)
  const seen = new Map<string, number>()
  const found = new Set<number>()
  for (let index = items.length - 1; index >= 0; index--) {
    if (items[index]?.kind !== 'tool-result') continue
    for (const path of callOf(index).shows) {
      const later = seen.get(path) ?? 0
      seen.set(path, later + 1)
      if (later < viewsOfFile) found.add(index)
    }
  }
  return found
}

/** So many steps of a newest view count as one. */
export const viewSteps = 8
