import type { LineIndex, LineReference, LineRun } from '../core/index.ts'
import { statesFailure } from './failure.ts'
import { statesExit } from './failure-exit.ts'
import { referenceMarker } from './marker.ts'

export interface ReferOptions {
  readonly text: string
  readonly index: LineIndex
  count(text: string): number
  /** Shorter runs must pay twice; 3 by default. */
  readonly minRun?: number
  /** From this run length on, the first telling line stays in sight so that the reader finds the place; 6 by default. */
  readonly anchorFrom?: number
}

/** A text in which runs of lines stand as references to earlier items. `at` is set on every reference. */
export interface ReferredText {
  readonly text: string
  readonly references: readonly LineReference[]
  /** Tokens that the references save. */
  readonly savedTokens: number
}

/**
 * Replaces runs of lines that already stand, contiguous and verbatim, in one earlier visible item. Lines that state an
 * error or an exit stay. `resolveReferences` is the exact inverse.
 */
export function referRepeats(options: ReferOptions): ReferredText {
  const { text, index, anchorFrom = 6 } = options
  if (index.size === 0) return { text, references: [], savedTokens: 0 }
  const lines = text.split('\n')
  const reader = index.reader(lines, (line) => statesFailure(line) || statesExit(line))
  const shown: string[] = []
  const references: LineReference[] = []
  let savedTokens = 0
  let at = 0
  while (at < lines.length) {
    const found = reader.longestRun(at)
    const run = found && anchored(found, lines, at, anchorFrom)
    const saving = run === undefined ? 0 : savingOf(run, lines, options)
    if (run === undefined || saving <= 0) {
      shown.push(lines[at] ?? '')
      at++
      continue
    }
    while (at < run.from) shown.push(lines[at++] ?? '')
    shown.push(markerOf(run, lines))
    references.push({ key: run.place.key, firstLine: run.place.line, lines: run.length, at: shown.length })
    savedTokens += saving
    at += run.length
  }
  return references.length === 0
    ? { text, references, savedTokens }
    : { text: shown.join('\n'), references, savedTokens }
}

interface PlacedRun extends LineRun {
  /** Line (from 0) of the new text at which the run begins. */
  readonly from: number
  /** Whether the line before it is shown and tells where to look. */
  readonly anchored: boolean
}

/** Leaves the lines up to the first telling one in sight: a number alone is hard to find, a line of text is not. */
function anchored(run: LineRun, lines: readonly string[], from: number, anchorFrom: number): PlacedRun {
  if (run.length < anchorFrom) return { ...run, from, anchored: false }
  let kept = 1
  while (kept < 4 && !isTelling(lines[from + kept - 1] ?? '')) kept++
  const place = { ...run.place, line: run.place.line + kept }
  return { place, length: run.length - kept, from: from + kept, anchored: true }
}

/** A line by which a place can be found again: words, and not just a tag or a rule. */
function isTelling(line: string): boolean {
  return line.length < 400 && /[A-Za-z0-9_]{3}.*[A-Za-z0-9_]{3}/.test(line) && !/^\s*<\/?\w+>\s*$/.test(line)
}

const quoteLength = 40

function markerOf({ place, length, from, anchored: isAnchored }: PlacedRun, lines: readonly string[]): string {
  const { step, call } = place
  if (isAnchored) return referenceMarker({ step, call, lines: length })
  const first = lines.slice(from, from + length).find(isTelling) ?? lines[from] ?? ''
  return referenceMarker({ step, call, lines: length, from: quoted(first) })
}

/** The beginning of a line, never ending inside a character; a marker is one line whatever ends lines. */
function quoted(line: string): string {
  const start = (line.trim().split('\r')[0] ?? '').slice(0, quoteLength)
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start
}

/** Tokens saved by the reference, or 0 where they do not pay for it once more: a reader has to look it up. */
function savingOf(run: PlacedRun, lines: readonly string[], options: ReferOptions): number {
  const replaced = lines.slice(run.from, run.from + run.length).join('\n')
  if (replaced.length < 32) return 0
  const price = options.count(markerOf(run, lines)) + 1
  const saving = options.count(replaced) - price
  const least = run.length >= (options.minRun ?? 3) ? price : price * 2
  return saving >= least ? saving : 0
}

/**
 * Puts the referred lines back. `shownText` gives what the model sees of an item; undefined when it no longer shows all the
 * lines, in which case so is the result.
 */
export function resolveReferences(
  { text, references }: Pick<ReferredText, 'text' | 'references'>,
  shownText: (key: string) => string | undefined,
): string | undefined {
  const lines = text.split('\n')
  const parts: string[] = []
  let next = 0
  for (const { key, firstLine, lines: length, at } of references) {
    const source = shownText(key)?.split('\n')
    if (at === undefined || source === undefined || source.length < firstLine - 1 + length) return undefined
    parts.push(...lines.slice(next, at - 1), ...source.slice(firstLine - 1, firstLine - 1 + length))
    next = at
  }
  return [...parts, ...lines.slice(next)].join('\n')
}
