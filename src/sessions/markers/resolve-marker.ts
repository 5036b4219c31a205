import type { WireExchange, ItemKind, Pack } from '../../core/index.ts'
import {
  dataOfLength,
  factReader,
  hasLinesInStrings,
  joinLines,
  parseBriefReference,
  parseRange,
  readMarker,
  resultLines,
  textLines,
} from '../../ladders/index.ts'
import type { Fold, RepeatedThere } from '../../ladders/index.ts'
import { stepNumbers } from '../../compiler/index.ts'
import type { Scope, Store } from '../../stores/index.ts'
import { withoutLineNumbers } from './line-numbers.ts'
import type { Behind, MarkerLine } from './marker-reader.ts'

/** What a model was shown. */
export interface Shown {
  readonly scope: Scope
  /** Handles whose originals are stored for the session. */
  readonly handles: ReadonlySet<string>
  readonly exchange: WireExchange
  readonly pack: Pack
}

/** What a marker stands for. */
export interface ResolvedMarker {
  readonly text: string
  /** The text goes on where the line before the marker ends: the break between them is the marker's. */
  readonly goesOn?: boolean
  readonly behind?: readonly Behind[]
}

/** Undefined where a marker is not one of the session's. */
export type ResolveMarker = (marker: MarkerLine) => Promise<ResolvedMarker | undefined>

export function markerResolver(store: Pick<Store, 'read'>, shown: Shown): ResolveMarker {
  return async (marker) => {
    const read = readMarker(marker.text)
    const { handle } = read?.values ?? {}
    const there = parseBriefReference(marker.text)
    if (there) return linesOfStep(shown, there, marker)
    if (read?.form === 'ends-step') return isShown(shown, marker.text) ? { text: '', behind: [ownBreak] } : undefined
    const found = handle === undefined ? undefined : await original(store, shown, handle)
    if (!found) return undefined
    // No call is meant to hold steps of the conversation.
    if (read?.form === 'steps') return undefined
    // What a definition of a tool leaves out stood in no call.
    if (read?.form === 'schema' || read?.form === 'schema-examples') return { text: '' }
    if (read?.form === 'data') return dataLeftOut(found, Number(read.values.bytes))
    const range = parseRange(marker.text)
    if (range && found.kind === 'tool-call') return foldedInCall(found, range)
    if (range) return linesOfString(found, range, marker) ?? foldedLines(found, range, marker)
    // What an extract shows stands below its heading already, and so does what is left of a result.
    return read?.form === 'extract' || read?.form === 'ends' ? { text: '', behind: [ownBreak] } : wholeText(found)
  }
}

function dataLeftOut({ text }: OriginalText, bytes: number): ResolvedMarker | undefined {
  const data = dataOfLength(text, bytes)
  return data === undefined ? undefined : { text: data }
}

/** Lines that another step shows, where a request that is sent has this reference to them. */
function linesOfStep(
  { exchange, pack }: Shown,
  { step, call, first, last }: RepeatedThere,
  marker: MarkerLine,
): ResolvedMarker | undefined {
  const { items } = exchange.conversation
  const isOurs = pack.entries.some(({ rung, text }) => rung !== 'full' && resultLines(text).lines.includes(marker.text))
  const steps = isOurs ? stepNumbers(items) : []
  const kind = call ? 'tool-call' : 'tool-result'
  const item = items[steps.findIndex((number, index) => number === step && items[index]?.kind === kind)]
  const entry = item && pack.entries.find(({ itemId }) => itemId === item.id)
  if (item === undefined || entry === undefined) return undefined
  const lines = factReader().eachLineOf(item, entry.text)
  if (isOutOfPlace(marker) || first < 1 || last < first || last > lines.length) return undefined
  const text = lines.slice(first - 1, last).join('\n')
  if (marker.isQuoted === true) return { text: quoted(text) }
  const shownBefore = bare(lines[first - 2])
  return { text: withoutLineNumbers(text, { shownBefore, writtenBefore: writtenBefore(marker) }) }
}

/** A line without a handle is ours where a text that is sent shorter begins with it. */
function isShown({ pack }: Shown, line: string): boolean {
  return pack.entries.some(({ rung, text }) => rung !== 'full' && text.startsWith(`${line}\n`))
}

interface OriginalText {
  readonly text: string
  readonly kind?: ItemKind
  /** As the request shows it; absent where it does not. */
  readonly shown?: string
}

async function original(
  store: Pick<Store, 'read'>,
  { scope, handles, exchange, pack }: Shown,
  handle: string,
): Promise<OriginalText | undefined> {
  const entry = pack.entries.find((each) => each.handle === handle)
  // A summary is not its first item, shown shorter.
  const item = entry && entry.rung !== 'summary' && exchange.conversation.items.find(({ id }) => id === entry.itemId)
  if (item) return { text: item.text, kind: item.kind, shown: entry.text }
  return handles.has(handle) ? store.read('originals').get(scope, handle) : undefined
}

/** Lines stand for themselves on a line of their own, or with the JSON that quotes them. */
function isOutOfPlace({ isInside, isQuoted = false }: MarkerLine): boolean {
  return isInside && !isQuoted
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** The lines that a marker in a string of JSON stands for, as the string says them or as the JSON quotes them. */
function linesOfString(
  { text: whole, kind }: OriginalText,
  { first, last }: Fold,
  marker: MarkerLine,
): ResolvedMarker | undefined {
  const { isQuoted = false } = marker
  if (kind !== 'tool-result' || isOutOfPlace(marker) || !(isQuoted || hasLinesInStrings(whole))) return undefined
  const written = writtenBefore(marker)
  // Lines that are copied with the escapes of the JSON are written out with them.
  if (written?.endsWith(String.raw`\n`) === true) return undefined
  const { lines, ranges } = resultLines(whole)
  const numbered = ranges()
  const from = numbered.findIndex((range) => range?.first === first)
  const to = numbered.findIndex((range) => range?.last === last)
  if (from === -1 || to < from) return undefined
  const text = lines.slice(from, to + 1).join('\n')
  if (isQuoted) return { text: quoted(text) }
  return { text: withoutLineNumbers(text, { shownBefore: bare(lines[from - 1]), writtenBefore: written }) }
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

/** A call or a picture is no text that could stand in a string. What is shown below a line that stands for all of it is in it. */
function wholeText({ text, kind, shown }: OriginalText): ResolvedMarker | undefined {
  if (kind === 'tool-call' || kind === 'media') return undefined
  const [head = '', ...below] = shown?.split('\n') ?? []
  const isLine = readMarker(head) !== undefined && parseRange(head) === undefined
  return { text, ...(isLine && { behind: below.map((line) => ({ text: `\n${line}` })) }) }
}

/** A line without the first half of a break of two characters. */
function bare(line: string | undefined): string | undefined {
  return line?.endsWith('\r') === true ? line.slice(0, -1) : line
}

function writtenBefore(marker: MarkerLine): string | undefined {
  const [line] = marker.linesBefore
  return line === undefined ? undefined : unmarked(line, marker)
}

/** A line without the mark that a patch puts before it. */
function unmarked(line: string, { lead }: MarkerLine): string {
  return lead === '+' || lead === '-' || lead === ' ' ? line.replace(/^[-+ ]/, '') : line
}
