import { settledLine } from './clean-text.ts'
import { cutNotices } from './cut-notices.ts'
import { foldMarker } from './marker.ts'
import type { Fold } from './marker.ts'
import { withRecordNames } from './record-names.ts'
import { withStructure } from './structure.ts'
import type { TextLines } from './text-lines.ts'
import { lengthOf } from './text-lines.ts'

export interface TrimOptions {
  readonly text: TextLines
  /** 1 for every line to keep. */
  readonly keep: Uint8Array
  readonly handle: string
  /** Whether the text around already shows the call that brings the lines back, so that all markers may be brief. */
  readonly named?: boolean
}

export interface Trimmed {
  readonly text: string
  readonly folds: readonly Fold[]
  /** Whether a line stays that says something: no blank, rule, or end of an envelope. */
  readonly says: boolean
}

/**
 * Shows the kept lines verbatim (of a line that overwrote itself its last state), with the lines that open what they stand in and those by which the tool says that there is more, and puts one marker line in place of each run
 * left out. Runs that are no longer than their marker stay.
 */
export function trimLines({ text, keep: wanted, handle, named = false }: TrimOptions): Trimmed {
  const own = withoutGaps(text, wanted)
  const keep = withStructure(text, withRecordNames(text, withoutTinyGaps(text, withNotices(text, own))))
  const folds: Fold[] = []
  const parts: string[] = []
  const size = text.lines.length
  const says = text.lines.some((line, at) => keep[at] === 1 && saysSomething(line))
  let index = 0
  while (index < size) {
    const first = index
    if (keep[index] === 1) {
      // Lines are joined a run at a time: a part for each line is dear where lines are short.
      while (index < size - 1 && keep[index + 1] === 1 && text.joined[index] === 0) index++
      const breaks = index < size - 1 && (text.joined[index] === 0 || keep[index + 1] !== 1)
      index++
      parts.push(settledLines(text.lines.slice(first, index)), breaks ? '\n' : '')
      continue
    }
    while (index < size && keep[index] !== 1) index++
    const fold: Fold = { first: placeOf(text, first) + 1, last: placeOf(text, index), handle }
    parts.push(foldMarker(fold, named || folds.length > 0), index < size ? '\n' : '')
    folds.push(fold)
  }
  return { text: parts.join(''), folds, says }
}

/** Index in the text of a line that is read. */
function placeOf({ excerpt }: TextLines, at: number): number {
  return excerpt?.places[at] ?? at
}

/** What an excerpt leaves out has no lines to show. */
function withoutGaps({ excerpt }: TextLines, keep: Uint8Array): Uint8Array {
  return excerpt === undefined ? keep : keep.map((kept, at) => (excerpt.gaps[at] === 1 ? 0 : kept))
}

function settledLines(lines: readonly string[]): string {
  const joined = lines.join('\n')
  return joined.includes('\r')
    ? lines.map((line) => (line.includes('\r') ? settledLine(line) : line)).join('\n')
    : joined
}

/** Where nothing is shown, nobody takes it for all. */
function withNotices({ lines }: TextLines, keep: Uint8Array): Uint8Array {
  const notices = keep.includes(1) ? cutNotices(lines) : []
  if (notices.length === 0) return keep
  const filled = keep.slice()
  for (const at of notices) filled[at] = 1
  return filled
}

function saysSomething(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && !/^\s*<\/?\w[\w-]{0,40}>\s*$/.test(line)
}

/** Characters of a run between kept lines that takes hardly more tokens than the marker in its place. */
const shortestGap = 48

function withoutTinyGaps(text: TextLines, keep: Uint8Array): Uint8Array {
  const filled = keep.slice()
  let start = 0
  while (start < keep.length) {
    let end = start
    let length = 0
    while (end < keep.length && keep[end] !== 1) length += lengthOf(text, end++) + 1
    if (end > start && length <= shortestGap && start > 0 && end < keep.length) filled.fill(1, start, end)
    start = end + 1
  }
  return filled
}
