import type { Item } from '../../core/index.ts'
import type { FactReader } from '../../ladders/index.ts'

export interface ViewsOptions {
  readonly items: readonly Item[]
  readonly steps: readonly number[]
  readonly facts: FactReader
}

/** Views of one file of which none counts as old: a part that was looked at later does not show what an earlier view does. */
const viewsOfFile = 2

/**
 * Indexes of the results that show a file as it was last looked at. Edits quote such lines many steps later, so they age more
 * slowly than others do.
 */
export function newestViews({ items, steps, facts }: ViewsOptions): ReadonlySet<number> {
  const callOf = new Map<number, Item>()
  items.forEach((item, index) => {
    if (item.kind === 'tool-call') callOf.set(steps[index] ?? 0, item)
  })
  const seen = new Map<string, number>()
  const found = new Set<number>()
  for (let index = items.length - 1; index >= 0; index--) {
    if (items[index]?.kind !== 'tool-result') continue
    for (const path of facts.ofCall(callOf.get(steps[index] ?? 0)?.text ?? '').shows) {
      const later = seen.get(path) ?? 0
      seen.set(path, later + 1)
      if (later < viewsOfFile) found.add(index)
    }
  }
  return found
}

/** So many steps of a newest view count as one. */
export const viewSteps = 8
