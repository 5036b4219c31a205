import type { Exchange, ItemKind, Ledger, Pack } from '../../core/index.ts'
import { referredLines } from '../../compiler/index.ts'
import type { ReferredLines } from '../../compiler/index.ts'
import { joinLines, parseFold, readMarker, textLines } from '../../ladders/index.ts'
import type { Fold } from '../../ladders/index.ts'
import type { Scope, Store } from '../../stores/index.ts'
import { withoutLineNumbers } from './line-numbers.ts'
import type { MarkerLine } from './marker-reader.ts'

/** What a model was shown. */
export interface Shown {
  readonly scope: Scope
  /** Handles whose originals are stored for the session. */
  readonly handles: ReadonlySet<string>
  readonly exchange: Exchange
  readonly pack: Pack
  readonly ledger: Ledger | undefined
}

/** The lines that a marker stands for; undefined where it is not one of the session's, or might be several. */
export type ResolveMarker = (marker: MarkerLine) => Promise<string | undefined>

export function markerResolver(store: Pick<Store, 'original'>, shown: Shown): ResolveMarker {
  let references: readonly ReferredLines[] | undefined
  return async (marker) => {
    const fold = parseFold(marker.text)
    if (fold) return foldedLines(await original(store, shown, fold.handle), fold, marker)
    const read = readMarker(marker.text)
    // What an extract shows stands below its heading already.
    if (read?.form === 'extract') return undefined
    const handle = read?.values.handle
    if (handle !== undefined) return wholeText(await original(store, shown, handle))
    references ??= referencesOf(shown)
    return referred(references, marker)
  }
}

interface OriginalText {
  readonly text: string
  readonly kind?: ItemKind
}

async function original(
  store: Pick<Store, 'original'>,
  { scope, handles, exchange, pack }: Shown,
  handle: string,
): Promise<OriginalText | undefined> {
  const itemId = pack.entries.find((entry) => entry.handle === handle)?.itemId
  const item = itemId === undefined ? undefined : exchange.conversation.items.find(({ id }) => id === itemId)
  if (item) return item
  return handles.has(handle) ? store.original(scope, handle) : undefined
}

/** Where an overlong line is cut, its marker stands on a line that the original does not have: that cannot be undone. */
function foldedLines(found: OriginalText | undefined, fold: Fold, { lineBefore }: MarkerLine): string | undefined {
  if (!found) return undefined
  const split = textLines(found.text)
  const { first, last } = fold
  if (first < 1 || last < first || last > split.lines.length) return undefined
  const text = joinLines(split, first - 1, last - 1)
  if (found.kind === 'tool-call') return insideString(text)
  if (split.joined[first - 2] === 1 || split.joined[last - 1] === 1) return undefined
  return withoutLineNumbers(text, { shownBefore: split.lines[first - 2], writtenBefore: lineBefore })
}

/** Folds of a call lie inside a string of its JSON, and their marker is followed by a line feed of its own. */
function insideString(json: string): string | undefined {
  try {
    const text = String(JSON.parse(`"${json}"`))
    return text.endsWith('\n') ? text.slice(0, -1) : undefined
  } catch {
    return undefined
  }
}

/** A call is no text that could stand in a string. */
function wholeText(found: OriginalText | undefined): string | undefined {
  return found?.kind === 'tool-call' ? undefined : found?.text
}

function referencesOf({ exchange, pack, ledger }: Shown): readonly ReferredLines[] {
  const kinds = new Map(exchange.conversation.items.map(({ id, kind }) => [id, kind]))
  const shown = pack.entries.map(({ itemId, text }) => ({ kind: kinds.get(itemId) ?? 'text', text }) as const)
  return ledger ? referredLines(ledger, shown) : []
}

/** Markers that say the same are told apart by the line before them. */
function referred(references: readonly ReferredLines[], { text, lineBefore }: MarkerLine): string | undefined {
  const same = references.filter(({ marker }) => marker === text)
  const only = single(same) ?? single(same.filter((reference) => reference.lineBefore === lineBefore))
  return only && withoutLineNumbers(only.text, { shownBefore: only.lineBefore, writtenBefore: lineBefore })
}

function single(references: readonly ReferredLines[]): ReferredLines | undefined {
  const [first] = references
  return references.every(({ text }) => text === first?.text) ? first : undefined
}
