import type { Exchange, ItemKind, Ledger, Pack } from '../../core/index.ts'
import { referredLines } from '../../compiler/index.ts'
import type { ReferredLines } from '../../compiler/index.ts'
import { joinLines, parseFold, readMarker, textLines } from '../../ladders/index.ts'
import type { Fold } from '../../ladders/index.ts'
import type { Scope, Store } from '../../stores/index.ts'
import { withoutLineNumbers } from './line-numbers.ts'
import type { Behind, MarkerLine } from './marker-reader.ts'

/** What a model was shown. */
export interface Shown {
  readonly scope: Scope
  /** Handles whose originals are stored for the session. */
  readonly handles: ReadonlySet<string>
  readonly exchange: Exchange
  readonly pack: Pack
  readonly ledger: Ledger | undefined
}

/** What a marker stands for. */
export interface ResolvedMarker {
  readonly text: string
  /** The text goes on where the line before the marker ends: the break between them is the marker's. */
  readonly goesOn?: boolean
  readonly behind?: readonly Behind[]
}

/** Undefined where a marker is not one of the session's, or might be several. */
export type ResolveMarker = (marker: MarkerLine) => Promise<ResolvedMarker | undefined>

export function markerResolver(store: Pick<Store, 'original'>, shown: Shown): ResolveMarker {
  let references: readonly ReferredLines[] | undefined
  return async (marker) => {
    const read = readMarker(marker.text)
    const { handle } = read?.values ?? {}
    if (handle === undefined) return referred((references ??= referencesOf(shown)), marker)
    const found = await original(store, shown, handle)
    if (!found) return undefined
    const fold = parseFold(marker.text)
    if (fold) return found.kind === 'tool-call' ? foldedInCall(found, fold) : foldedLines(found, fold, marker)
    // What an extract shows stands below its heading already.
    return read?.form === 'extract' ? { text: '', behind: [ownBreak] } : wholeText(found)
  }
}

interface OriginalText {
  readonly text: string
  readonly kind?: ItemKind
  /** As the request shows it; absent where it does not. */
  readonly shown?: string
}

async function original(
  store: Pick<Store, 'original'>,
  { scope, handles, exchange, pack }: Shown,
  handle: string,
): Promise<OriginalText | undefined> {
  const entry = pack.entries.find((each) => each.handle === handle)
  const item = entry && exchange.conversation.items.find(({ id }) => id === entry.itemId)
  if (item) return { text: item.text, kind: item.kind, shown: entry.text }
  return handles.has(handle) ? store.original(scope, handle) : undefined
}

/** An overlong line is folded in pieces; the breaks around the marker of a piece are the marker's. */
function foldedLines(
  { text: whole }: OriginalText,
  { first, last }: Fold,
  marker: MarkerLine,
): ResolvedMarker | undefined {
  const split = textLines(whole)
  const { lines, joined } = split
  if (marker.isInside || first < 1 || last < first || last > lines.length) return undefined
  const [before, after] = [lines[first - 2], lines[last]]
  const text = joinLines(split, first - 1, last - 1)
  const written = writtenBefore(marker)
  const isPiece = joined[first - 2] === 1
  return {
    text: isPiece ? text : withoutLineNumbers(text, { shownBefore: bare(before), writtenBefore: written }),
    goesOn: isPiece && before !== undefined && written?.endsWith(before) === true,
    ...(joined[last - 1] === 1 && after !== undefined && { behind: [{ text: `\n${after}`, keeps: after.length }] }),
  }
}

/** Folds of a call lie inside a string of its JSON, and their marker is followed by a line feed of its own. */
function foldedInCall({ text: json }: OriginalText, { first, last }: Fold): ResolvedMarker | undefined {
  const split = textLines(json)
  if (first < 1 || last < first || last > split.lines.length) return undefined
  const text = insideString(joinLines(split, first - 1, last - 1))
  if (text === undefined) return undefined
  return text.endsWith('\n') ? { text: text.slice(0, -1) } : { text, behind: [ownBreak] }
}

function insideString(json: string): string | undefined {
  try {
    return String(JSON.parse(`"${json}"`))
  } catch {
    return undefined
  }
}

/** A break that the original does not have. */
const ownBreak: Behind = { text: '\n', keeps: 0 }

/** A call is no text that could stand in a string. What is shown below a line that stands for all of it is in it. */
function wholeText({ text, kind, shown }: OriginalText): ResolvedMarker | undefined {
  if (kind === 'tool-call') return undefined
  const [head = '', ...below] = shown?.split('\n') ?? []
  const isLine = readMarker(head) !== undefined && parseFold(head) === undefined
  return { text, ...(isLine && { behind: below.map((line) => ({ text: `\n${line}` })) }) }
}

/** Items that are not shown have a place in the ledger, too. */
function referencesOf({ exchange, pack, ledger }: Shown): readonly ReferredLines[] {
  if (!ledger) return []
  const texts = new Map(pack.entries.map(({ itemId, text }) => [itemId, text]))
  const shown = exchange.conversation.items.map(({ id, kind }) => {
    const text = texts.get(id)
    return text === undefined ? undefined : { kind, text }
  })
  return referredLines(ledger, shown)
}

/** Markers that say the same are told apart by the lines before them. */
function referred(references: readonly ReferredLines[], marker: MarkerLine): ResolvedMarker | undefined {
  const same = references.filter((reference) => reference.marker === marker.text)
  const written = marker.linesBefore.map((line) => unmarked(line, marker))
  const common = same.map(({ linesBefore }) => commonLines(linesBefore, written))
  const most = Math.max(...common)
  const [closest, ...others] = same.filter((_, index) => common[index] === most)
  if (marker.isInside || !closest || others.some(({ text }) => text !== closest.text)) return undefined
  const shownBefore = bare(closest.linesBefore[0])
  return { text: withoutLineNumbers(closest.text, { shownBefore, writtenBefore: written[0] }) }
}

/** A line without the first half of a break of two characters. */
function bare(line: string | undefined): string | undefined {
  return line?.endsWith('\r') === true ? line.slice(0, -1) : line
}

/** How many lines are the same; one more where both texts begin there. */
function commonLines(shown: readonly string[], written: readonly string[]): number {
  let lines = 0
  while (lines < written.length && bare(shown[lines]) === written[lines]) lines += 1
  return lines === shown.length && lines === written.length ? lines + 1 : lines
}

function writtenBefore(marker: MarkerLine): string | undefined {
  const [line] = marker.linesBefore
  return line === undefined ? undefined : unmarked(line, marker)
}

/** A line without the mark that a patch puts before it. */
function unmarked(line: string, { lead }: MarkerLine): string {
  return lead === '+' || lead === '-' || lead === ' ' ? line.replace(/^[-+ ]/, '') : line
}
