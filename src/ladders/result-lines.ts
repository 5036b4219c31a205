import { lineStarts } from './fold-runs.ts'
import { isJsonText } from './json-source.ts'
import { literalSpans } from './json-strings.ts'
import type { LiteralSpan } from './json-strings.ts'
import { lineNumbers } from './text-lines.ts'

/** A run of lines: from the index `first` on, up to and without `end`. */
export interface LineStretch {
  readonly first: number
  readonly end: number
}

/** Numbers (from 1) of the pieces by which a handle answers. */
export interface HandleRange {
  readonly first: number
  readonly last: number
}

/**
 * A result as the lines that references count. Of JSON on one line, these are the lines of each string that has several, as the
 * string says them; of any other result its own lines.
 */
export interface ResultLines {
  readonly lines: readonly string[]
  /** Where each line begins and ends in the result. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** Characters of the break between two lines. */
  readonly breakLength: number
  /** Texts that the lines belong to: the result itself, or one for each string. */
  readonly texts: readonly LineStretch[]
  /**
   * The range by which a handle brings each line back. Undefined where no range brings back the line alone, or where its escapes are not
   * those that `written` gives.
   */
  ranges(): readonly (HandleRange | undefined)[]
  /** Lines as they stand in the result. */
  written(lines: readonly string[]): string
}

export function resultLines(text: string): ResultLines {
  const strings = stringsWithLines(text)
  return strings.length === 0 ? ownLines(text) : linesInStrings(text, strings)
}

/** The lines alone. */
export function linesOfResult(text: string): readonly string[] {
  const strings = stringsWithLines(text)
  return strings.length === 0 ? text.split('\n') : linesInStrings(text, strings).lines
}

/** Whether a result is JSON on one line with strings of several lines, of which ranges are answered as what the strings say. */
export function hasLinesInStrings(text: string): boolean {
  return stringsWithLines(text).length > 0
}

const lineFeed = String.raw`\n`

/** The string values that hold escaped line feeds. */
function stringsWithLines(text: string): readonly LiteralSpan[] {
  const mayBe = /^[[{]/.test(text) && text.includes(lineFeed) && !text.includes('\n')
  if (!mayBe || !isJsonText(text)) return []
  return literalSpans(text, lineFeed.length).filter(
    ({ start, end }) =>
      !/^\s{0,20}:/.test(text.slice(end, end + 21)) && lineFeedAfter(text.slice(start, end), 1) !== -1,
  )
}

/** Where the next escaped line feed of a string literal stands; -1 where there is none. */
function lineFeedAfter(literal: string, from: number): number {
  let at = literal.indexOf('\\', from)
  while (at !== -1 && literal[at + 1] !== 'n') at = literal.indexOf('\\', at + 2)
  return at
}

function ownLines(text: string): ResultLines {
  const lines = text.split('\n')
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  for (const line of lines) {
    starts.push(at)
    at += line.length
    ends.push(at)
    at += 1
  }
  return {
    lines,
    starts,
    ends,
    breakLength: 1,
    texts: [{ first: 0, end: lines.length }],
    ranges() {
      const numbers = lineNumbers(lines)
      return lines.map((_, index) => ({ first: numbers[index] ?? 1, last: (numbers[index + 1] ?? 1) - 1 }))
    },
    written: (some) => some.join('\n'),
  }
}

function linesInStrings(text: string, strings: readonly LiteralSpan[]): ResultLines {
  const lines: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  const texts: LineStretch[] = []
  for (const { start, end } of strings) {
    const first = lines.length
    const literal = text.slice(start, end)
    const push = (from: number, to: number): void => {
      lines.push(said(literal.slice(from, to)))
      starts.push(start + from)
      ends.push(start + to)
    }
    let from = 1
    for (let feed = lineFeedAfter(literal, from); feed !== -1; feed = lineFeedAfter(literal, from)) {
      push(from, feed)
      from = feed + lineFeed.length
    }
    push(from, literal.length - 1)
    texts.push({ first, end: lines.length })
  }
  const ranges = (): ReturnType<ResultLines['ranges']> => rangesInStrings(text, { lines, starts, ends, texts })
  const written = (some: readonly string[]): string => some.map(escaped).join(lineFeed)
  return { lines, starts, ends, breakLength: lineFeed.length, texts, ranges, written }
}

/** Ranges are answered by pieces of the JSON. The last line of a string shares its piece with what follows the string. */
function rangesInStrings(
  text: string,
  { lines, starts, ends, texts }: Pick<ResultLines, 'lines' | 'starts' | 'ends' | 'texts'>,
): ReturnType<ResultLines['ranges']> {
  const numbers = new Map(lineStarts(text).map((start, index) => [start, index + 1]))
  const isLast = new Set(texts.map(({ end }) => end - 1))
  return lines.map((line, index) => {
    const first = numbers.get(starts[index] ?? -1)
    const next = isLast.has(index) ? undefined : numbers.get(starts[index + 1] ?? -1)
    const isWritten = text.slice(starts[index], ends[index]) === escaped(line)
    return first === undefined || next === undefined || !isWritten ? undefined : { first, last: next - 1 }
  })
}

/** What a part of a string literal says. */
function said(part: string): string {
  return part.includes('\\') ? String(JSON.parse(`"${part}"`)) : part
}

function escaped(line: string): string {
  return JSON.stringify(line).slice(1, -1)
}
