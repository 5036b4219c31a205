import type { Item, Rendition } from '../../core/index.ts'
import type { FactReader } from '../../ladders/index.ts'

export interface VisibleOptions {
  readonly items: readonly Item[]
  readonly renditions: readonly Rendition[]
  readonly facts: FactReader
  /** Items whose present rendition does not count, because they are about to be shortened. */
  skip(index: number): boolean
}

/** The names that the context shows outside the skipped items. */
export function visibleNames({ items, renditions, facts, skip }: VisibleOptions): Set<string> {
  const names = new Set<string>()
  items.forEach((item, index) => {
    const shown = renditions[index]
    if (shown !== undefined && !skip(index)) addNames(names, item, shown, facts)
  })
  return names
}

export function addNames(names: Set<string>, item: Item, shown: Rendition, facts: FactReader): void {
  if (shown.rung === 'line' || shown.rung === 'pointer' || item.kind === 'tool-schema') return
  const text = item.kind === 'tool-call' ? facts.linesOf(item, shown.text) : shown.text
  for (const name of facts.namesIn(text)) names.add(name)
}
