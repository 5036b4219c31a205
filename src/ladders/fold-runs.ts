import { literalSpans } from './json-strings.ts'
import { callFoldMarker } from './marker.ts'
import { splitLines } from './text-lines.ts'

/** Lines (from 0, as `textLines` counts) that lie wholly inside one long string value. */
export interface Run {
  readonly first: number
  readonly last: number
}

/** A run that may be folded, and the string that it lies in, as the JSON has it. */
export interface OpenRun extends Run {
  readonly literal: string
}

/** The runs of lines that may be folded in a call's JSON, one per string value that `isLong`. */
export function foldableRuns(text: string, isLong: (literal: string) => boolean): readonly OpenRun[] {
  let starts: readonly number[] | undefined
  // Keys are never long.
  return literalSpans(text, 2).flatMap(({ start, end }) => {
    const literal = text.slice(start, end)
    if (!isLong(literal)) return []
    starts ??= lineStarts(text)
    const first = starts.findIndex((at) => at > start)
    const next = starts.findIndex((at) => at >= end)
    const last = (next === -1 ? starts.length : next) - 2
    return first === -1 || last < first ? [] : [{ first, last, literal }]
  })
}

/** Offset of every line of `textLines`, and the text's end. */
export function lineStarts(text: string): number[] {
  const { lines, joined } = splitLines(text)
  const starts = [0]
  lines.forEach((line, index) => starts.push((starts[index] ?? 0) + line.length + (joined[index] === 1 ? 0 : 1)))
  return starts
}

/** A call's JSON with runs of lines folded; the markers stand inside the strings. */
export function foldRuns(text: string, runs: readonly Run[], handle: string): string {
  const starts = lineStarts(text)
  const parts: string[] = []
  let next = 0
  runs.forEach(({ first, last }, index) => {
    const marker = callFoldMarker({ first: first + 1, last: last + 1, handle }, index > 0)
    parts.push(text.slice(next, starts[first]), JSON.stringify(`${marker}\n`).slice(1, -1))
    next = starts[last + 1] ?? text.length
  })
  parts.push(text.slice(next))
  return parts.join('')
}
