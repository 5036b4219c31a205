import { settledLine } from './clean-text.ts'
import { cutNotices } from './cut-notices.ts'
import { foldMarker } from './marker.ts'
import type { Fold } from './marker.ts'
import { withRecordNames } from './record-names.ts'
import { withStructure } from './structure.ts'
import type { TextLines } from './text-lines.ts'

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
  const keep = withStructure(text, withRecordNames(text, withoutTinyGaps(text, withNotices(text, wanted))))
  const folds: Fold[] = []
  const parts: string[] = []
  const size = text.lines.length
  const says = text.lines.some((line, at) => keep[at] === 1 && saysSomething(line))
  let index = 0
  while (index < size) {
    if (keep[index] === 1) {
      const last = index === size - 1
      const breaks = text.joined[index] === 0 || keep[index + 1] !== 1
      const line = text.lines[index] ?? ''
      parts.push(line.includes('\r') ? settledLine(line) : line, last || !breaks ? '' : '\n')
      index++
      continue
    }
    const first = index
    while (index < size && keep[index] !== 1) index++
    const fold: Fold = { first: first + 1, last: index, handle }
    parts.push(foldMarker(fold, named || folds.length > 0), index < size ? '\n' : '')
    folds.push(fold)
  }
  return { text: parts.join(''), folds, says }
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

function withoutTinyGaps({ lines }: TextLines, keep: Uint8Array): Uint8Array {
  const filled = keep.slice()
  let start = 0
  while (start < keep.length) {
    let end = start
    let length = 0
    while (end < keep.length && keep[end] !== 1) length += (lines[end++]?.length ?? 0) + 1
    if (end > start && length <= shortestGap && start > 0 && end < keep.length) filled.fill(1, start, end)
    start = end + 1
  }
  return filled
}
