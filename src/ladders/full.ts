import type { Item, LadderContext, Rendition } from '../core/index.ts'

/** The item as it came. */
export function fullRendition(item: Item, context: LadderContext): Rendition {
  return { rung: 'full', text: item.text, tokens: item.tokens ?? context.count(item.text), fidelity: 1 }
}

/** A ladder of one rung: an item is shown whole, or not at all. */
export function wholeOnly(item: Item, context: LadderContext): readonly Rendition[] {
  return [fullRendition(item, context)]
}
