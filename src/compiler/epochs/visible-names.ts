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

/** What results that the context shows outside the skipped items say in words and figures. */
export function visibleSaid({ items, renditions, facts, skip }: VisibleOptions): Set<number> {
  const said = new Set<number>()
  items.forEach((item, index) => {
    const shown = renditions[index]
    if (shown !== undefined && !skip(index)) addSaid(said, item, shown, facts)
  })
  return said
}

export function addSaid(said: Set<number>, item: Item, { rung, text }: Rendition, facts: FactReader): void {
  if (item.kind !== 'tool-result' || rung === 'line' || rung === 'pointer') return
  for (const key of facts.saidIn(text)) said.add(key)
}

export function addNames(names: Set<string>, item: Item, shown: Rendition, facts: FactReader): void {
  if (shown.rung === 'line' || shown.rung === 'pointer' || item.kind === 'tool-schema') return
  const text = item.kind === 'tool-call' ? facts.linesOf(item, shown.text) : shown.text
  for (const name of facts.namesIn(text)) names.add(name)
}
