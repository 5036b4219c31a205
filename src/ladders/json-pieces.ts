import { stringLiteralEnd } from '../core/index.ts'

/** Where a line of JSON may be parted, and how deep in its structure each part begins. */
export interface Pieces {
  /** End of each piece, the line's end included. */
  readonly ends: readonly number[]
  /** Containers that are open where the piece begins, counting only those that are parted. */
  readonly depths: readonly number[]
}

/** Records and lists up to this length stay in one piece. */
const wholeRecord = 600
/** Members of a parted record stand together up to about this length; longer strings may be parted. */
const wholeLength = 250

/**
 * The pieces of a long line of JSON: every record of a list begins its own piece, the members of a record follow in
 * pieces one level deeper, long strings are parted at their line feeds. Undefined when brackets or quotes do not match.
 */
export function jsonPieces(line: string): Pieces | undefined {
  if (!/^\s{0,200}[[{"]/.test(line)) return undefined
  const matches = bracketMatches(line)
  return matches === undefined ? undefined : walk(line, matches)
}

/** Index of the closing bracket at every opening one; undefined when they do not match. */
function bracketMatches(line: string): Int32Array | undefined {
  const matches = new Int32Array(line.length)
  const open: number[] = []
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === quote) {
      const end = stringLiteralEnd(line, at)
      if (end === -1) return undefined
      at = end - 1
    } else if (code === openBracket || code === openBrace) {
      open.push(at)
    } else if (code === closeBracket || code === closeBrace) {
      const start = open.pop()
      if (start === undefined || line.charCodeAt(start) !== code - 2) return undefined
      matches[start] = at
    }
  }
  // A line of pretty JSON may open what a later line closes.
  for (const start of open) matches[start] = line.length
  return matches
}

const quote = 34
const backslash = 92
const comma = 44
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

interface Walk {
  readonly line: string
  readonly ends: number[]
  readonly depths: number[]
  /** For every parted container that is open: whether each of its elements is a record. */
  readonly open: boolean[]
  start: number
}

function walk(line: string, matches: Int32Array): Pieces {
  const state: Walk = { line, ends: [], depths: [0], open: [], start: 0 }
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === quote) {
      at = walkString(state, at)
    } else if (code === openBracket || code === openBrace) {
      const end = matches[at] ?? 0
      if (end - at <= wholeRecord) at = Math.min(end, line.length - 1)
      else state.open.push(code === openBracket && beginsWithContainer(line, at + 1))
    } else if (code === closeBracket || code === closeBrace) {
      state.open.pop()
    } else if (code === comma && (state.open.at(-1) === true || at - state.start > wholeLength / 2)) {
      breakAfter(state, at + 1, state.open.length)
    }
  }
  state.ends.push(line.length)
  return { ends: state.ends, depths: state.depths }
}

/** Whether a list's first element is a record or a list. Asked at every bracket: nothing is copied. */
function beginsWithContainer(line: string, from: number): boolean {
  let at = from
  while (at < from + mostSpace && isSpace(line.charCodeAt(at))) at++
  const code = line.charCodeAt(at)
  return code === openBracket || code === openBrace
}

const mostSpace = 100

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)))
}

function breakAfter(state: Walk, end: number, depth: number): void {
  if (end <= state.start || end >= state.line.length) return
  state.ends.push(end)
  state.depths.push(depth)
  state.start = end
}

/** Parts a long string at line feeds, written with one backslash or two, else at a space or where it gets too long. */
function walkString(state: Walk, start: number): number {
  const { line } = state
  const end = stringLiteralEnd(line, start) - 1
  if (end - start <= wholeLength) return end
  for (let at = start + 1; at < end; at++) {
    const code = line.charCodeAt(at)
    const depth = state.open.length + 0.5
    if (code === backslash) {
      at++
      const feeds = line[at] === 'n' || (line[at] === '\\' && line[at + 1] === 'n')
      if (line[at] === '\\' && feeds) at++
      if (line[at - 1] === '\\' && line[at] === 'u') at = Math.min(end - 1, at + 4)
      if (feeds && at + 1 < end) breakAfter(state, at + 1, depth + indentAfter(line, at + 1))
    } else if (
      at - state.start >= (code === 32 ? wholeLength : wholeLength * 2) &&
      !isLowSurrogate(line.charCodeAt(at + 1))
    ) {
      breakAfter(state, at + 1, depth)
    }
  }
  return end
}

/** Spaces at the start of a line inside a string, as a small part of one level. */
function indentAfter(line: string, from: number): number {
  let spaces = 0
  while (spaces < 400 && line.charCodeAt(from + spaces) === 32) spaces++
  return spaces / 1000
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
