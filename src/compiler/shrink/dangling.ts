import type { Page } from '../stages/assemble.ts'
import type { ItemReference } from './refer-items.ts'

/** The items of a page that refer to what does not stand whole before them, by their indexes. */
export function danglingIn(references: readonly ItemReference[], pages: readonly Page[]): readonly number[] {
  if (references.length === 0) return []
  const [page] = pages
  const places = new Map(page?.pack.entries.map(({ itemId, rung, text }, at) => [itemId, { at, rung, text }]))
  return references
    .filter(({ id, toId, text }) => {
      const [own, other] = [places.get(id), places.get(toId)]
      if (own === undefined || own.text !== text) return false
      return other === undefined || other.at > own.at || (other.rung !== 'full' && other.rung !== 'lossless')
    })
    .map(({ index }) => index)
}
