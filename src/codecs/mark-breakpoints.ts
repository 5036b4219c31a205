import type { Breakpoint } from '../core/index.ts'
import { scanJson } from '../core/index.ts'
import { cannotEncode } from './cannot-encode.ts'
import type { ItemPlace, RequestWriter, Showing } from './request-writer.ts'
import { placeOf } from './request-writer.ts'
import type { Edit } from './splice.ts'
import { sortEdits, splice } from './splice.ts'

/** The edits that mark cached prefixes; none where the caller has taken caching into its own hands. */
export function markerEdits(showing: Showing, breakpoints: readonly Breakpoint[]): readonly Edit[] {
  const { writer, exchange, tree } = showing
  if (writer.ownsCaching(exchange, tree, breakpoints)) return []
  const indexes = indexesOf(showing)
  const marked = new Map<number, readonly Edit[]>()
  for (const breakpoint of breakpoints) {
    const index = indexes.get(breakpoint.itemId)
    if (index === undefined)
      throw cannotEncode(`breakpoint at unknown item ${breakpoint.itemId}`, 'Place it on an item.')
    const found = nearestMark(showing, index, breakpoint)
    if (found !== undefined && !marked.has(found.at)) marked.set(found.at, found.edits)
  }
  const planned = new Set(breakpoints.map(({ itemId }) => itemId))
  const own = exchange.wire.markers.filter(({ itemId }) => !planned.has(itemId))
  if (marked.size > 0 && marked.size + own.length > writer.mostMarkers) {
    throw cannotEncode(
      `${marked.size + own.length} breakpoints, at most ${writer.mostMarkers} are allowed`,
      'Place fewer.',
    )
  }
  return [...marked.values()].flat()
}

/** Of items of the body; one that is inserted counts as the last of the body before it, for ours carry no markers. */
function indexesOf({ items, list, insertions }: Showing): ReadonlyMap<string, number> {
  const indexes = new Map(items.map((item, index) => [item.id, index]))
  if (insertions.length === 0) return indexes
  let last = -1
  for (const { itemId } of list) {
    const index = indexes.get(itemId)
    if (index === undefined) indexes.set(itemId, last)
    else last = index
  }
  return indexes
}

/** A breakpoint on a block that may carry none moves back to the nearest block that may. */
function nearestMark(
  showing: Showing,
  from: number,
  breakpoint: Breakpoint,
): { readonly at: number; readonly edits: readonly Edit[] } | undefined {
  const { writer, tree, items, placeAt, entries } = showing
  for (let index = from; index >= 0; index -= 1) {
    const item = items[index]
    const entry = item === undefined ? undefined : entries.get(item.id)
    if (item === undefined || entry === undefined) continue
    const hasWords = item.kind === 'media' || entry.text !== ''
    const place = placeOf(showing, placeAt(index))
    const isAnew = item.kind === 'tool-schema' && entry.text !== item.text
    const mark = isAnew ? markAnew : (at: ItemPlace) => writer.mark(tree, at, breakpoint)
    const edits = place !== undefined && hasWords ? mark(place, { writer, text: entry.text, breakpoint }) : undefined
    const [first] = edits ?? []
    if (edits !== undefined && first !== undefined) return { at: first.start, edits }
  }
  return undefined
}

interface MarkedAnew {
  readonly writer: RequestWriter
  readonly text: string
  readonly breakpoint: Breakpoint
}

/** The edit that writes a definition anew with its mark, in the place of the one that would without. */
function markAnew(place: ItemPlace, { writer, text, breakpoint }: MarkedAnew): readonly Edit[] | undefined {
  const tree = scanJson(text)
  const edits = writer.mark(tree, { ...place, node: tree.root }, breakpoint)
  const { start, end } = place.node
  return edits && [{ start, end, text: splice(text, sortEdits(edits)) }]
}
