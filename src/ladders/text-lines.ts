import { contentKind } from './content-kind.ts'
import type { ContentKind } from './content-kinds.ts'
import { jsonPieces } from './json-pieces.ts'
import { codeDepth, lineDepth } from './line-depth.ts'

/**
 * A text as the lines by which it is trimmed and rehydrated. An overlong line (minified JSON, one-line HTML) counts as
 * several. Joining all lines gives the text back.
 */
export interface SplitLines {
  readonly lines: readonly string[]
  /** 1 where no line break follows the line in the text. */
  readonly joined: Uint8Array
}

/** The same, with what tells how they belong together. */
export interface TextLines extends SplitLines {
  /** How deep each line stands in the structure of the text; not a number for blank lines. */
  readonly depths: Float64Array
  readonly kind: ContentKind
  /** Where these lines are an excerpt of a very long text. */
  readonly excerpt?: Excerpt
}

/** Of each stretch of lines that an excerpt leaves out, one empty line stands in it: a gap, which is never shown. */
export interface Excerpt {
  /** Index in the text of each line (of a gap, that of its first one), and the number of all lines behind the last. */
  readonly places: Uint32Array
  /** Characters of each line; of a gap, those of all that it stands for. */
  readonly lengths: Float64Array
  readonly gaps: Uint8Array
}

const wrapBeyond = 500
const pieceLength = 250

/** Splits at line feeds, and overlong lines by their JSON structure, at escaped line feeds, else about every 250 characters. */
export function textLines(text: string): TextLines {
  const kind = contentKind(text)
  const { lines, joined, depths } = splitBy(text, depthFor(kind))
  return { lines, joined, depths: Float64Array.from(depths), kind }
}

function depthFor(kind: ContentKind): (line: string) => number {
  const isCode = kind === 'source-code' || kind === 'search-results'
  return (line) => (isCode ? codeDepth(line) : lineDepth(line)) ?? Number.NaN
}

/** The lines of a text of which the depth is read one by one. */
export interface UnreadLines extends SplitLines {
  readonly kind: ContentKind
  depthAt(at: number): number
}

/** The same as `textLines`, for a text of which few lines are read. */
export function unreadLines(text: string, kind: ContentKind): UnreadLines {
  const depthOf = depthFor(kind)
  // Overlong lines are few, and their pieces stand as deep as their beginning says.
  const { lines, joined, depths } = splitBy(text, (line) => (line.length > wrapBeyond ? depthOf(line) : unread))
  const depthAt = (at: number): number => {
    const known = depths[at] ?? unread
    return known === unread ? depthOf(lines[at] ?? '') : known
  }
  return { lines, joined, kind, depthAt }
}

const unread = Infinity

/** Characters of a line, without its break. */
export function lengthOf({ lines, excerpt }: Pick<TextLines, 'lines' | 'excerpt'>, at: number): number {
  return (excerpt === undefined ? lines[at]?.length : excerpt.lengths[at]) ?? 0
}

/** Characters of a text by its lines, each with a break. */
export function charactersOf(text: Pick<TextLines, 'lines' | 'excerpt'>): number {
  let sum = 0
  for (let at = 0; at < text.lines.length; at += 1) sum += lengthOf(text, at) + 1
  return sum
}

/** Whether the text is a line that is not parted, so that nothing of it can be left out but all. */
export function isOneLine(text: string): boolean {
  return text.length <= wrapBeyond && !text.includes('\n')
}

/** The lines alone, without a look at what they are. */
export function splitLines(text: string): SplitLines {
  const { lines, joined } = splitBy(text, () => 0)
  return { lines, joined }
}

function splitBy(text: string, depthOf: (line: string) => number): SplitLines & Pick<Split, 'depths'> {
  const split: Split = { lines: [], joints: [], depths: [] }
  for (const line of text.split('\n')) {
    const depth = depthOf(line)
    if (line.length > wrapBeyond) {
      pushPieces(line, depth, split)
    } else {
      split.lines.push(line)
      split.depths.push(depth)
    }
  }
  const joined = new Uint8Array(split.lines.length)
  for (const index of split.joints) joined[index] = 1
  return { lines: split.lines, joined, depths: split.depths }
}

/** The number (from 1) that the first piece of each line of a text has among `textLines`, and the number behind the last. */
export function lineNumbers(lines: readonly string[]): readonly number[] {
  const numbers = [1]
  let next = 1
  for (const line of lines) {
    const split: Split = { lines: [], joints: [], depths: [] }
    if (line.length > wrapBeyond) pushPieces(line, 0, split)
    next += Math.max(1, split.lines.length)
    numbers.push(next)
  }
  return numbers
}

interface Split {
  readonly lines: string[]
  /** Indexes of lines that no line break follows. */
  readonly joints: number[]
  readonly depths: number[]
}

/** The text of lines `first` to `last` (from 0, both included), as it stands in the original. */
export function joinLines({ lines, joined }: SplitLines, first: number, last: number): string {
  const parts: string[] = []
  for (let index = first; index <= last; index++) {
    parts.push(lines[index] ?? '')
    if (index < last && joined[index] === 0) parts.push('\n')
  }
  return parts.join('')
}

/** Lines `"57-90"` or `"57"` (from 1) of a text, as a handle's range names them; undefined when the range is no range. */
export function selectLines(text: string, range: string): string | undefined {
  return selectFrom(splitLines(text), range)
}

/** The same of a text that is split already. */
export function selectFrom(split: SplitLines, range: string): string | undefined {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range.trim())
  if (match === null) return undefined
  const first = Number(match[1])
  const last = Math.min(match[2] === undefined ? first : Number(match[2]), split.lines.length)
  if (first < 1 || first > last) return undefined
  return joinLines(split, first - 1, last - 1)
}

/** A level of structure inside a line, far less than one of indent. */
const innerLevel = 0.001

function pushPieces(line: string, depth: number, split: Split): void {
  const pieces = jsonPieces(line)
  let start = 0
  const push = (end: number, inner: number): void => {
    split.lines.push(line.slice(start, end))
    split.depths.push(depth + innerLevel * inner)
    if (end < line.length) split.joints.push(split.lines.length - 1)
    start = end
  }
  const ends = pieces?.ends ?? plainEnds(line)
  ends.forEach((end, index) => {
    const inner = pieces?.depths[index] ?? 0
    const from = start
    // What has no commas where JSON has them is parted as if it were none.
    if (end - from > longestPiece) for (const at of plainEnds(line.slice(from, end))) push(from + at, inner)
    else push(end, inner)
  })
}

const longestPiece = 1000

function plainEnds(line: string): readonly number[] {
  const ends: number[] = []
  let start = 0
  let escaped = escapedLineFeed(line, 0)
  while (start < line.length) {
    if (escaped <= start) escaped = escapedLineFeed(line, start)
    start = pieceEnd(line, start, escaped)
    ends.push(start)
  }
  return ends
}

const escapeForm = /\\n/g

/** End of the next escaped line feed; looked up once per line feed, not once per piece. */
function escapedLineFeed(line: string, from: number): number {
  escapeForm.lastIndex = from
  return escapeForm.test(line) ? escapeForm.lastIndex : Infinity
}

function pieceEnd(line: string, start: number, escaped: number): number {
  if (escaped <= start + wrapBeyond) return escaped
  return line.length <= start + wrapBeyond ? line.length : naturalEnd(line, start)
}

const breakAfter = ['},', '>', '",', '. ', ';', ',', ' '] as const
const searched = 160

/** The end of a piece: after the strongest separator near its full length. */
function naturalEnd(line: string, start: number): number {
  const target = start + pieceLength
  const window = line.slice(target - searched, target)
  for (const separator of breakAfter) {
    const at = window.lastIndexOf(separator)
    if (at !== -1) return target - searched + at + separator.length
  }
  return wholeCharacter(line, start, target)
}

/** Never between the halves of a surrogate pair, nor inside a JSON escape; `start` is at neither. */
function wholeCharacter(line: string, start: number, target: number): number {
  const slash = target - 6 + line.slice(target - 6, target).lastIndexOf('\\')
  if (slash >= target - 6) {
    let run = slash
    while (run > start && line[run - 1] === '\\') run--
    const opensEscape = (slash - run) % 2 === 0
    const length = line[slash + 1] === 'u' ? 6 : 2
    if (opensEscape && slash + length > target) return slash
  }
  const code = line.charCodeAt(target)
  return code >= 0xdc00 && code <= 0xdfff ? target - 1 : target
}
