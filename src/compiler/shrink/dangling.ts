import type { PackEntry } from '../../core/index.ts'
import { isItemReference } from '../../ladders/index.ts'
import type { Page } from '../stages/assemble.ts'
import type { ItemReference, ReferredItems } from './refer-items.ts'

/**
 * The items that refer to what does not stand whole before them, by their indexes: of every page, and as their last request has left them, too.
 * A reference of an earlier request that nobody would make now counts as one of them.
 */
export function danglingIn({ references, list }: ReferredItems, pages: readonly Page[]): readonly number[] {
  if (references === undefined) return []
  const dangling = new Set<string>()
  const made = new Map(references.map((reference) => [reference.id, reference]))
  for (const { pack } of pages) {
    const places = new Map(pack.entries.map((entry, at) => [entry.itemId, { at, entry }]))
    for (const { at, entry } of places.values())
      if (isItemReference(entry.text) && !holds(entry, at, { reference: made.get(entry.itemId), places }))
        dangling.add(entry.itemId)
  }
  if (dangling.size === 0) return []
  return Array.from(list.candidates.entries()).flatMap(([index, { item }]) =>
    dangling.has(item.id) && list.standAlone?.has(index) !== true ? [index] : [],
  )
}

interface Known {
  readonly reference: ItemReference | undefined
  readonly places: ReadonlyMap<string, { readonly at: number; readonly entry: PackEntry }>
}

function holds({ text, rung }: PackEntry, at: number, { reference, places }: Known): boolean {
  // What only begins like one, in its own words, refers to nothing.
  if (rung === 'full') return true
  const other = reference?.text === text ? places.get(reference.toId) : undefined
  return other !== undefined && other.at < at && (other.entry.rung === 'full' || other.entry.rung === 'lossless')
}
