import type { LineIndex, LineReference, LineRun } from '../core/index.ts'
import { statesFailure } from './failure.ts'
import { statesExit } from './failure-exit.ts'
import { briefReferenceMarker, referenceMarker } from './marker.ts'
import { resultLines } from './result-lines.ts'
import type { HandleRange, LineStretch, ResultLines } from './result-lines.ts'

export interface ReferOptions {
  readonly text: string
  readonly index: LineIndex
  /** The handle that brings the text's own lines back. */
  readonly handle: string
  /** The step that the text belongs to. */
  readonly step?: number | undefined
  /** Whether no tool follows handles yet, so that references name none. */
  readonly brief?: boolean | undefined
  count(text: string): number
}

/** A text in which runs of lines stand as references to earlier items. `at` is set on every reference. */
export interface ReferredText {
  readonly text: string
  readonly references: readonly LineReference[]
  /** Tokens that the references save. */
  readonly savedTokens: number
}

/** A reader looks up no fewer lines than this. */
const shortestRun = 12
/** A text of which a larger share stands elsewhere is left as it is: whoever asked for it must not have to look for all of it. */
const mostReferred = 0.8

/**
 * Replaces runs of lines that already stand, contiguous and verbatim, in one earlier visible item. The line above each
 * reference stands only once in that item, so that a reader finds the place, and the reference says how the lines are brought
 * back. Lines that state an error or an exit stay. `resolveReferences` is the exact inverse.
 */
export function referRepeats(options: ReferOptions): ReferredText {
  const { text, index } = options
  const asItIs = { text, references: [], savedTokens: 0 }
  if (index.size === 0) return asItIs
  const read = resultLines(text)
  if (read.lines.length <= shortestRun) return asItIs
  const runs = referableRuns(read, options)
  const characters = runs.reduce((sum, { start, end }) => sum + end - start + read.breakLength, 0)
  if (runs.length === 0 || characters > mostReferred * text.length) return asItIs
  const shown: string[] = []
  const references: LineReference[] = []
  let next = 0
  let leftOut = 0
  for (const { from, length, start, end, marker, place } of runs) {
    shown.push(text.slice(next, start), marker)
    references.push({ key: place.key, firstLine: place.line, lines: length, at: from - leftOut + 1 })
    next = end
    leftOut += length - 1
  }
  shown.push(text.slice(next))
  return { text: shown.join(''), references, savedTokens: runs.reduce((sum, { saving }) => sum + saving, 0) }
}

/** How a last line reads that sums up all before it, such as `308 passed, 0 failed`: it stays, however often it was said before. */
const verdict = /\b(?:passed|passing|failed|failing|succeeded|errors?|warnings?|total|tests?|done|finished)\b/i

/** Lines that a reference stands for. */
interface PlacedRun extends Pick<LineRun, 'place' | 'length'> {
  /** Line (from 0) of the new text at which they begin. */
  readonly from: number
}

interface PricedRun extends PlacedRun {
  /** Where its lines begin and end in the new text. */
  readonly start: number
  readonly end: number
  readonly marker: string
  readonly saving: number
}

function referableRuns(read: ResultLines, options: ReferOptions): readonly PricedRun[] {
  const { lines } = read
  const reader = options.index.reader(lines, (line) => statesFailure(line) || statesExit(line))
  const ranges = read.ranges()
  const runs: PricedRun[] = []
  for (const { first, end } of stretchesOf(read, ranges)) {
    for (let at = first; at < end;) {
      const found = reader.longestRun(at)
      const placed = found && anchored(found, lines, { from: at, end })
      const run = placed && priced(placed, { ...options, read, ranges })
      if (run !== undefined) runs.push(run)
      // Where no line of a run can be found again, none of its beginnings can.
      at =
        run === undefined
          ? at + (found !== undefined && placed === undefined ? found.length : 1)
          : run.from + run.length
    }
  }
  return runs
}

/** Where runs may stand: lines that a handle brings back, with the line above them, and without a last line that sums up. */
function stretchesOf({ lines, texts }: ResultLines, ranges: ReturnType<ResultLines['ranges']>): readonly LineStretch[] {
  return texts.flatMap((text) => {
    const last = lastTelling(lines, text)
    const until = verdict.test(lines[last] ?? '') ? last : text.end
    const stretches: LineStretch[] = []
    for (let at = text.first; at < until; at++) {
      if (ranges[at] === undefined) continue
      const first = Math.max(text.first, at - 1)
      while (at < until && ranges[at] !== undefined) at++
      stretches.push({ first, end: at })
    }
    return stretches
  })
}

function lastTelling(lines: readonly string[], { first, end }: LineStretch): number {
  for (let at = end - 1; at >= first; at--) if (isTelling(lines[at] ?? '')) return at
  return -1
}

/** What follows the first line of a run by which its place can be found. */
function anchored(
  run: LineRun,
  lines: readonly string[],
  { from, end }: { readonly from: number; readonly end: number },
): PlacedRun | undefined {
  const length = Math.min(run.length, end - from)
  for (let kept = 1; length - kept >= shortestRun; kept++) {
    if (!isTelling(lines[from + kept - 1] ?? '') || !run.standsOnce(kept - 1)) continue
    const place = { ...run.place, line: run.place.line + kept }
    return { place, length: length - kept, from: from + kept }
  }
  return undefined
}

/** A line by which a place can be found again: words, and not just a tag or a rule. */
function isTelling(line: string): boolean {
  return line.length < 400 && /[\p{L}\p{N}_]{3}.*[\p{L}\p{N}_]{3}/u.test(line) && !/^\s*<\/?\w+>\s*$/.test(line)
}

interface PriceOptions extends ReferOptions {
  readonly read: ResultLines
  readonly ranges: readonly (HandleRange | undefined)[]
}

/** Undefined where the reference does not save its own price once more: a reader has to look it up. */
function priced(
  run: PlacedRun,
  { text, count, handle, read, ranges, step, brief }: PriceOptions,
): PricedRun | undefined {
  const { place, length, from } = run
  const behind = from + length - 1
  const back = step === undefined ? {} : { back: Math.max(0, step - place.step) }
  const there = { step: place.step, call: place.call, ...back }
  const own = { lines: length, first: ranges[from]?.first ?? 1, last: ranges[behind]?.last ?? 1, handle }
  const marker = read.written([
    brief === true
      ? briefReferenceMarker({ ...there, first: place.line, last: place.line + length - 1 })
      : referenceMarker({ ...there, ...own }),
  ])
  const [start = 0, end = 0] = [read.starts[from], read.ends[behind]]
  const price = count(marker) + 1
  const saving = count(text.slice(start, end)) - price
  return saving < price ? undefined : { ...run, start, end, marker, saving }
}

/**
 * Puts the referred lines back. `shownText` gives what the model sees of an item; undefined when it no longer shows all the
 * lines, in which case so is the result.
 */
export function resolveReferences(
  { text, references }: Pick<ReferredText, 'text' | 'references'>,
  shownText: (key: string) => string | undefined,
): string | undefined {
  const { starts, ends, written } = resultLines(text)
  const parts: string[] = []
  let next = 0
  for (const { key, firstLine, lines: length, at = 0 } of references) {
    const source = shownText(key)
    const lines = source === undefined ? [] : resultLines(source).lines.slice(firstLine - 1, firstLine - 1 + length)
    const [start, end] = [starts[at - 1], ends[at - 1]]
    if (lines.length < length || start === undefined || end === undefined) return undefined
    parts.push(text.slice(next, start), written(lines))
    next = end
  }
  return `${parts.join('')}${text.slice(next)}`
}
