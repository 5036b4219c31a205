import type { ItemKind, Ledger, LineReference } from '../../core/index.ts'
import { entriesOf } from './session-view.ts'
import { longStrings, readMarker, shortestString } from '../../ladders/index.ts'

/** An item of a conversation as it is shown; in the order of the ledger's entries. */
export interface ShownItem {
  readonly kind: ItemKind
  readonly text: string
}

/** A reference marker that stands in a conversation, and what it stands for. */
export interface ReferredLines {
  readonly marker: string
  /** The lines before the marker, the nearest first; none where it is the first of its text. */
  readonly linesBefore: readonly string[]
  readonly text: string
}

/**
 * All references of a conversation with the lines that they stand for; those that cannot be found again are left out.
 * `shown` has a place for each of the ledger's entries, without an item where it is not shown.
 */
export function referredLines(ledger: Ledger, shown: readonly (ShownItem | undefined)[]): readonly ReferredLines[] {
  const entries = entriesOf(ledger)
  if (entries.length !== shown.length) return []
  const byKey = new Map(entries.map(({ key }, index) => [key, shown[index]]))
  return entries.flatMap(({ references }, index) => {
    const item = shown[index]
    if (references === undefined || item === undefined) return []
    return markersOf(item, references).flatMap(({ reference, marker, linesBefore }): ReferredLines[] => {
      const source = linesOf(byKey.get(reference.key))
      const first = reference.firstLine - 1
      const lines = source.slice(first, first + reference.lines)
      return lines.length < reference.lines ? [] : [{ marker, text: lines.join('\n'), linesBefore }]
    })
  })
}

/** As the index of lines has them: of a call, its long strings. */
function linesOf(item: ShownItem | undefined): readonly string[] {
  if (item === undefined) return []
  if (item.kind !== 'tool-call') return item.text.split('\n')
  return longStrings(item.text, shortestString).flatMap(({ value }) => value.split('\n'))
}

interface PlacedMarker {
  readonly reference: LineReference
  readonly marker: string
  readonly linesBefore: readonly string[]
}

/** By so many lines a place is told from another. */
const mostLinesBefore = 8

/** A string of a call is shorter with its references than it was when it was looked at. */
const shortestShown = 12

/** `at` counts in the item's text, or in that string of a call which has the reference; strings come in order. */
function markersOf({ kind, text }: ShownItem, references: readonly LineReference[]): readonly PlacedMarker[] {
  const texts = kind === 'tool-call' ? longStrings(text, shortestShown).map(({ value }) => value) : [text]
  const placed: PlacedMarker[] = []
  for (const own of texts) {
    const lines = own.split('\n')
    let last = 0
    for (;;) {
      const reference = references[placed.length]
      const at = reference?.at ?? 0
      const marker = lines[at - 1]
      if (reference === undefined || at <= last || marker === undefined || !standsFor(marker, reference)) break
      const linesBefore = lines.slice(Math.max(0, at - 1 - mostLinesBefore), at - 1).toReversed()
      placed.push({ reference, marker, linesBefore })
      last = at
    }
  }
  return placed
}

function standsFor(line: string, { lines }: LineReference): boolean {
  return readMarker(line)?.values.lines === String(lines)
}
