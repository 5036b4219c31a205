import { invalidInput } from '../../core/index.ts'
import type { Item, Manifest, Pack } from '../../core/index.ts'
import { originsOf } from './lineage.ts'
import type { ItemOrigin } from './lineage.ts'

/** A place in which a text stands. */
export interface QuotePlace {
  readonly itemId: string
  /** Lines of the item as it came, from 1. */
  readonly firstLine: number
  readonly lastLine: number
  /** Whether the model was shown it there; otherwise the handle, where there is one, brings it back. */
  readonly isShown: boolean
  readonly handle?: string
  readonly origin: ItemOrigin
}

/** The input of `findQuote`: a quote, and the compile in which it is looked for. */
export interface QuoteSearch {
  readonly quote: string
  readonly items: readonly Item[]
  readonly manifest: Manifest
  /** What was sent; without it nothing counts as shown. */
  readonly pack?: Pick<Pack, 'entries'> | undefined
}

/** The longest quote that is looked for. */
const longestQuote = 20_000

/**
 * Where a text in a request, or in what was left out of it, comes from: every item that says it, in the order of the request. White space
 * counts as one space, however much there is. Throws `invalid-input` for a quote without words.
 */
export function findQuote({ quote, items, manifest, pack }: QuoteSearch): readonly QuotePlace[] {
  const wanted = quote.replaceAll(/\s+/g, ' ').trim()
  if (wanted === '' || wanted.length > longestQuote)
    throw invalidInput('quote', `has ${wanted.length} characters`, `Give a piece of text of 1 to ${longestQuote}.`)
  const shown = new Map(pack?.entries.map((entry) => [entry.itemId, entry.text]))
  const handles = new Map(manifest.decisions.map(({ itemId, handle }) => [itemId, handle]))
  const origins = originsOf(items)
  return items.flatMap((item): readonly QuotePlace[] => {
    const lines = linesOf(item.text, wanted)
    if (lines === undefined) return []
    const handle = handles.get(item.id)
    const isShown = flat(shown.get(item.id) ?? '').includes(wanted)
    const origin = origins.get(item.id) ?? {}
    return [{ itemId: item.id, ...lines, isShown, ...(handle !== undefined && { handle }), origin }]
  })
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/** The lines of its first place; undefined where it is not there. */
function linesOf(text: string, wanted: string): Pick<QuotePlace, 'firstLine' | 'lastLine'> | undefined {
  const at = flat(text).indexOf(wanted)
  if (at < 0) return undefined
  const start = placeInText(text, at)
  const end = placeInText(text, at + wanted.length - 1)
  return { firstLine: lineAt(text, start), lastLine: lineAt(text, end) }
}

/** The offset in a text of a place in it with single spaces. */
function placeInText(text: string, wanted: number): number {
  let flatAt = 0
  let inSpace = false
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = /\s/.test(text.charAt(at))
    if (isSpace && inSpace) continue
    if (flatAt === wanted) return at
    inSpace = isSpace
    flatAt += 1
  }
  return text.length
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
