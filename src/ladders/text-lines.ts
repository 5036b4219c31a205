/**
 * A text as the lines by which it is trimmed and rehydrated. An overlong line (minified JSON, one-line HTML) counts as
 * several; `joined[i]` is 1 where no line break follows line `i` in the text. Joining all lines gives the text back.
 */
export interface TextLines {
  readonly lines: readonly string[]
  readonly joined: Uint8Array
}

const wrapBeyond = 500
const pieceLength = 250

/** Splits at line feeds, and overlong lines at escaped line feeds, else about every 250 characters at a natural place. */
export function textLines(text: string): TextLines {
  const lines: string[] = []
  const joints: number[] = []
  for (const line of text.split('\n')) {
    if (line.length > wrapBeyond) pushPieces(line, lines, joints)
    else lines.push(line)
  }
  const joined = new Uint8Array(lines.length)
  for (const index of joints) joined[index] = 1
  return { lines, joined }
}

/** The text of lines `first` to `last` (from 0, both included), as it stands in the original. */
export function joinLines({ lines, joined }: TextLines, first: number, last: number): string {
  const parts: string[] = []
  for (let index = first; index <= last; index++) {
    parts.push(lines[index] ?? '')
    if (index < last && joined[index] === 0) parts.push('\n')
  }
  return parts.join('')
}

/** Lines `"57-90"` or `"57"` (from 1) of a text, as a handle's range names them; undefined when the range is no range. */
export function selectLines(text: string, range: string): string | undefined {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range.trim())
  if (match === null) return undefined
  const first = Number(match[1])
  const split = textLines(text)
  const last = Math.min(match[2] === undefined ? first : Number(match[2]), split.lines.length)
  if (first < 1 || first > last) return undefined
  return joinLines(split, first - 1, last - 1)
}

function pushPieces(line: string, lines: string[], joints: number[]): void {
  let start = 0
  let escaped = escapedLineFeed(line, 0)
  while (start < line.length) {
    if (escaped <= start) escaped = escapedLineFeed(line, start)
    const end = pieceEnd(line, start, escaped)
    lines.push(line.slice(start, end))
    if (end < line.length) joints.push(lines.length - 1)
    start = end
  }
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
