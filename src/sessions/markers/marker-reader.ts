import { dataMarkerAt, longestMarker, mayBeMarker, parseFold, readMarker } from '../../ladders/index.ts'
import { characterAt, lastLineStart, openBreak, saidBy } from './argument-text.ts'
import type { ArgumentsForm } from './argument-text.ts'

/** What of a call's arguments has the form of one of our markers; whether it is one, the resolver knows. */
export interface MarkerLine {
  /** As it stands in the arguments; what is not resolved goes out so. */
  readonly raw: string
  /** The break before its line and what stands on the line before it, likewise; empty where that is gone already. */
  readonly before: string
  /** What it says, without blanks behind it. */
  readonly text: string
  /** What stands before it on its line: blanks, or the `+` or `-` of a patch. */
  readonly lead: string
  /** The lines before it, the nearest first, as far as they are seen. */
  readonly linesBefore: readonly string[]
  /** It stands behind other words, as folds in calls do. */
  readonly isInside: boolean
  /** It stands in a JSON text inside the argument, with the escapes of that JSON. */
  readonly isQuoted?: boolean
}

/** What follows a marker because the marker was shown: from the break behind it, or behind what came before this, on. */
export interface Behind {
  readonly text: string
  /** So many characters at its end belong to the original, which goes on there; absent where it is whole lines. */
  readonly keeps?: number
}

export interface MarkerReaderState {
  /** The last characters that were passed on or read as a marker. */
  readonly tail: string
  /** Characters that may be the beginning of a marker, or that nobody has looked at. */
  readonly held: string
  /** What is left out where it comes next, in order. */
  readonly behind: readonly Behind[]
}

export interface MarkerStep {
  readonly state: MarkerReaderState
  /** What goes on as it came. */
  readonly passed: string
  /** What comes then; what comes after it is still to be read. */
  readonly marker?: MarkerLine
}

/**
 * Finds markers in the arguments of a call that come in fragments. Holds back only the beginning of a line that may yet
 * become a marker, with the break before it; where fragments are cut changes nothing.
 */
export interface MarkerReader {
  readonly initial: MarkerReaderState
  /** Reads on, as far as the next marker. */
  step(state: MarkerReaderState, fragment: string): MarkerStep
  /** The same when no more is to come. */
  end(state: MarkerReaderState): MarkerStep
}

export function markerReader(form: ArgumentsForm): MarkerReader {
  return {
    initial: { tail: '', held: '', behind: [] },
    step: ({ held, ...state }, fragment) => read(form, state, { text: `${held}${fragment}`, isLast: false }),
    end: ({ held, ...state }) => read(form, state, { text: held, isLast: true }),
  }
}

interface Unread {
  readonly text: string
  /** No more is to come. */
  readonly isLast: boolean
}

type Past = Omit<MarkerReaderState, 'held'>

function read(form: ArgumentsForm, { tail, behind }: Past, unread: Unread): MarkerStep {
  const { text, isLast } = unread
  const [next, ...rest] = behind
  if (next !== undefined) {
    const found = follows(form, next, unread)
    if (found === 'unknown') return { state: { tail, held: text, behind }, passed: '' }
    if (found === 'no') return read(form, { tail, behind: rest }, unread)
    const { keptFrom, end } = found
    const step = read(form, { tail: longer(tail, text.slice(0, end)), behind: rest }, { text: text.slice(end), isLast })
    return { ...step, passed: `${text.slice(keptFrom, end)}${step.passed}` }
  }
  const { start, end, marker } = nextMarker(form, tail, unread)
  const state = { tail: longer(tail, text.slice(0, end)), held: text.slice(end), behind: [] }
  return { state, passed: text.slice(0, start), ...(marker && { marker }) }
}

interface Followed {
  readonly keptFrom: number
  readonly end: number
}

/** Whether a text goes on with what stands behind a marker. */
function follows(form: ArgumentsForm, { text: expected, keeps }: Behind, unread: Unread): Followed | 'no' | 'unknown' {
  const { text, isLast } = unread
  let end = 0
  let keptFrom = 0
  for (let at = 0; at < expected.length; at += 1) {
    if (at === expected.length - (keeps ?? 0)) keptFrom = end
    const next = characterAt(form, text, end)
    if (next === 'cut' && !isLast) return 'unknown'
    if (typeof next === 'string' || next.said !== expected[at]) return 'no'
    end = next.end
  }
  if (keeps !== undefined && keeps > 0) return { keptFrom, end }
  const next = keeps === 0 ? 'over' : characterAt(form, text, end)
  if (next === 'cut' && !isLast) return 'unknown'
  return typeof next === 'string' || isBreak(next.said) ? { keptFrom: end, end } : 'no'
}

function isBreak(character: string): boolean {
  return character === '\n' || character === '\r'
}

/** Enough for the lines by which a marker is told from others that say the same. */
const tailChars = 4000

/** Cut only now and then. */
function longer(tail: string, text: string): string {
  const all = `${tail}${text}`
  return all.length > 2 * tailChars ? all.slice(-tailChars) : all
}

interface Found {
  /** What comes before goes on as it came. */
  readonly start: number
  /** What comes after is still to be read. */
  readonly end: number
  readonly marker?: MarkerLine
}

/** So much tells nearly all other brackets from a marker. */
const glanceChars = 10
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
const secondCharacters = new Set(['', '\\', ...printable.filter((character) => mayBeMarker(`[${character}`))])

/** Told at little cost, for there are many brackets in code. */
function mayBegin(form: ArgumentsForm, text: string, at: number): boolean {
  if (!secondCharacters.has(text.charAt(at + 1))) return false
  return mayBeMarker(lineFrom(form, { text, at, most: glanceChars }).text)
}

/** The first marker, or the place from which on nothing can be told yet. */
function nextMarker(form: ArgumentsForm, tail: string, { text, isLast }: Unread): Found {
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) {
    if (!mayBegin(form, text, at)) continue
    const line = lineFrom(form, { text, at, most: longestMarker })
    const said = line.text.trimEnd()
    const data = dataMarkerAt(line.text)
    if (data !== undefined) return insideMarker(form, { text, at, most: data.length })
    const quoted = quotedReferenceAt(line.text)
    if (quoted !== undefined) return quotedMarker(insideMarker(form, { text, at, most: quoted.length }))
    const mayGrow = line.isOpen && !isLast && mayBeMarker(unquoted(line.text))
    if (!mayGrow && readMarker(said) === undefined) continue
    const { breakAt: start = at, ...place } = placeOf(form, { tail, text }, at)
    if (mayGrow) return { start, end: start }
    if (place.isInside && parseFold(said) === undefined) continue
    const marker = { ...place, raw: text.slice(at, line.end), before: text.slice(start, at), text: said }
    return { start, end: line.end, marker }
  }
  const end = isLast ? text.length : openBreak(form, text)
  return { start: end, end }
}

/** A marker in the middle of a line, such as that of data. What stands around it stays. */
function insideMarker(
  form: ArgumentsForm,
  from: { readonly text: string; readonly at: number; readonly most: number },
): Found & Required<Pick<Found, 'marker'>> {
  const { text, end } = lineFrom(form, from)
  const raw = from.text.slice(from.at, end)
  return { start: from.at, end, marker: { raw, before: '', text, lead: '', linesBefore: [], isInside: true } }
}

function quotedMarker(found: Found & Required<Pick<Found, 'marker'>>): Found {
  const { marker } = found
  return { ...found, marker: { ...marker, text: unquoted(marker.text), isQuoted: true } }
}

/** A reference that a model has copied with the JSON that it stands in: its line ends with an escaped line feed, or with the string. */
function quotedReferenceAt(text: string): string | undefined {
  const reference = /^\[[^\]\n]{1,240}\](?=\\n|\\?")/.exec(text)?.[0]
  return reference !== undefined && readMarker(unquoted(reference))?.form.includes('repeats') ? reference : undefined
}

/** Without the escapes of quotation marks, and half an escape at the end. */
function unquoted(text: string): string {
  return text.replaceAll('\\"', '"').replace(/\\$/, '')
}

interface Place extends Pick<MarkerLine, 'lead' | 'linesBefore' | 'isInside'> {
  /** Where in the unread text the break before its line begins; undefined where that is gone. */
  readonly breakAt?: number
}

const mayStandBefore = /^(?:[ \t]*|[+-])$/

/** What stands before a place on its line and above it. */
function placeOf(
  form: ArgumentsForm,
  { tail, text }: { readonly tail: string; readonly text: string },
  at: number,
): Place {
  const context = longer(tail, text.slice(0, at))
  const line = lastLineStart(form, context, context.length >= tailChars)
  const said = line && saidBy(form, context.slice(line.start))
  const isInside = said === undefined || !mayStandBefore.test(said)
  // In a patch the lines of what is inside a line are marked, too.
  const lead = isInside ? (said?.startsWith('+') ? '+' : '') : said
  const breakAt = isInside || line?.breakStart === undefined ? -1 : line.breakStart - context.length + at
  const linesBefore = linesAbove(form, context, line?.breakStart)
  return { lead, linesBefore, isInside, ...(breakAt >= 0 && { breakAt }) }
}

/** By so many lines a place is told from another. */
const mostLines = 8
const returns: { readonly [Form in ArgumentsForm]: RegExp } = { json: /\\r$/, plain: /\r$/ }

function linesAbove(form: ArgumentsForm, context: string, breakStart: number | undefined): readonly string[] {
  const lines: string[] = []
  const isCut = context.length >= tailChars
  for (let end = breakStart; end !== undefined && lines.length < mostLines;) {
    // A break of two characters is one.
    const above = context.slice(0, end).replace(returns[form], '')
    const line = lastLineStart(form, above, isCut)
    const said = line && saidBy(form, above.slice(line.start))
    if (said === undefined) break
    lines.push(said)
    end = line?.breakStart
  }
  return lines
}

interface Line {
  readonly text: string
  /** Where it ends in the raw text. */
  readonly end: number
  /** More of it may come. */
  readonly isOpen: boolean
}

/** The line that begins at a place, as far as a marker can go. */
function lineFrom(
  form: ArgumentsForm,
  { text, at, most }: { readonly text: string; readonly at: number; readonly most: number },
): Line {
  let said = ''
  let end = at
  while (said.length < most) {
    const next = characterAt(form, text, end)
    if (next === 'cut') return { text: said, end, isOpen: true }
    if (next === 'over' || isBreak(next.said)) break
    said += next.said
    end = next.end
  }
  return { text: said, end, isOpen: false }
}
