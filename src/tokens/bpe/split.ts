import {
  LETTER,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  SPACE,
  UPPER,
  classAt,
  runEnd,
  symbolRunEnd,
  widthOf,
} from './code-point-class.ts'
import { asciiOf } from './plain-pieces.ts'
import type { PlainSplit } from './plain-pieces.ts'

/** Gives the end of the piece that starts at `start`; BPE never merges across pieces. */
export type Split = (text: string, start: number) => number

const SPACE_UNIT = 32
const APOSTROPHE = 39
const SLASH = 47

/** What leads a word: neither line break nor letter nor digit. An apostrophe may begin a contraction. */
const leads = asciiOf((unit) => unit !== APOSTROPHE && (classOf(unit) & (LETTER | NUMBER | NEWLINE)) === 0)
const isNewline = (unit: number): boolean => (classOf(unit) & NEWLINE) !== 0

/** How each split takes plain ASCII. */
export const plainO200k: PlainSplit = {
  leads,
  tails: asciiOf((unit) => unit === SLASH || isNewline(unit)),
  capitals: true,
  breaks: true,
  digits: true,
}
export const plainCl100k: PlainSplit = { ...plainO200k, tails: asciiOf(isNewline), capitals: false }
export const plainClaude: PlainSplit = {
  leads: asciiOf((unit) => unit === SPACE_UNIT),
  tails: asciiOf(() => false),
  capitals: false,
  breaks: false,
  digits: false,
}

function classOf(unit: number): number {
  return classAt(String.fromCharCode(unit), 0)
}

/**
 * The split of o200k_base:
 * a word keeps one leading symbol or space and a trailing contraction, and ends where capitals begin again.
 */
export function splitO200k(text: string, start: number): number {
  const first = classAt(text, start)
  const next = start + widthOf(first)
  if ((first & (LETTER | NUMBER | NEWLINE)) === 0 && next < text.length) {
    if ((classAt(text, next) & (UPPER | LOWER)) !== 0) return prefixedCaseWordEnd(text, start, next)
  }
  if ((first & (UPPER | LOWER)) !== 0) return caseWordEnd(text, start)
  if ((first & NUMBER) !== 0) return numberEnd(text, start)
  const symbols = symbolsEnd(text, start, first)
  if (symbols > start) return newlinesEnd(text, symbols, true)
  return spaceEndAfterNewlines(text, start)
}

/** The split of cl100k_base: contractions stand alone, words ignore case. */
export function splitCl100k(text: string, start: number): number {
  const first = classAt(text, start)
  const contraction = contractionEnd(text, start, true)
  if (contraction > start) return contraction
  const next = start + widthOf(first)
  if ((first & LETTER) !== 0) return runEnd(text, start, LETTER)
  if ((first & (NUMBER | NEWLINE)) === 0 && next < text.length) {
    if ((classAt(text, next) & LETTER) !== 0) return runEnd(text, next, LETTER)
  }
  if ((first & NUMBER) !== 0) return numberEnd(text, start)
  const symbols = symbolsEnd(text, start, first)
  if (symbols > start) return newlinesEnd(text, symbols, false)
  return spaceEndAfterNewlines(text, start)
}

/** The split of the published Claude vocabulary: only a plain space may lead a piece, newlines are spaces. */
export function splitClaude(text: string, start: number): number {
  const contraction = contractionEnd(text, start, false)
  if (contraction > start) return contraction
  const hasSpace = text.charCodeAt(start) === SPACE_UNIT && start + 1 < text.length
  const body = hasSpace ? start + 1 : start
  const classes = classAt(text, body)
  if ((classes & LETTER) !== 0) return runEnd(text, body, LETTER)
  if ((classes & NUMBER) !== 0) return runEnd(text, body, NUMBER)
  if ((classes & SPACE) === 0) return symbolRunEnd(text, body)
  return spaceEnd(text, start, runEnd(text, start, SPACE))
}

function prefixedCaseWordEnd(text: string, start: number, next: number): number {
  let end = lowerWordEnd(text, next)
  if (end < 0 && (classAt(text, start) & MARK) !== 0) end = lowerWordEnd(text, start)
  if (end < 0) end = upperWordEnd(text, next)
  return Math.max(end, contractionEnd(text, end, true))
}

function caseWordEnd(text: string, start: number): number {
  let end = lowerWordEnd(text, start)
  if (end < 0) end = upperWordEnd(text, start)
  return Math.max(end, contractionEnd(text, end, true))
}

/** Matches `UPPER* LOWER+`, giving back what the first part took where the second needs it; -1 if there is no match. */
function lowerWordEnd(text: string, start: number): number {
  const upperEnd = runEnd(text, start, UPPER)
  if (upperEnd < text.length && (classAt(text, upperEnd) & LOWER) !== 0) return runEnd(text, upperEnd, LOWER)
  let end = upperEnd
  while (end > start) {
    const width = isLowSurrogate(text.charCodeAt(end - 1)) ? 2 : 1
    if ((classAt(text, end - width) & LOWER) !== 0) return end
    end -= width
  }
  return -1
}

/** Matches `UPPER+ LOWER*`, which has nothing left to take after `lowerWordEnd` failed but the capitals. */
function upperWordEnd(text: string, start: number): number {
  return runEnd(text, start, UPPER)
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc_00 && unit <= 0xdf_ff
}

function numberEnd(text: string, start: number): number {
  let end = start
  for (let digits = 0; digits < 3 && end < text.length; digits += 1) {
    const classes = classAt(text, end)
    if ((classes & NUMBER) === 0) break
    end += widthOf(classes)
  }
  return end
}

/** Matches ` ?[^\s\p{L}\p{N}]+`, giving `start` if there is no match. */
function symbolsEnd(text: string, start: number, first: number): number {
  if ((first & SPACE) === 0) return symbolRunEnd(text, start)
  if (text.charCodeAt(start) !== SPACE_UNIT) return start
  const end = symbolRunEnd(text, start + 1)
  return end > start + 1 ? end : start
}

function newlinesEnd(text: string, start: number, withSlash: boolean): number {
  let end = start
  while (end < text.length) {
    const unit = text.charCodeAt(end)
    if (unit !== 10 && unit !== 13 && !(withSlash && unit === SLASH)) break
    end += 1
  }
  return end
}

/** Matches `\s*[\r\n]+|\s+(?!\S)|\s+`. */
function spaceEndAfterNewlines(text: string, start: number): number {
  const end = runEnd(text, start, SPACE)
  for (let index = end; index > start; index -= 1) {
    const unit = text.charCodeAt(index - 1)
    if (unit === 10 || unit === 13) return index
  }
  return spaceEnd(text, start, end)
}

/** Matches `\s+(?!\S)|\s+`: the last space before a word belongs to the word. */
function spaceEnd(text: string, start: number, end: number): number {
  return end === text.length || end - start === 1 ? end : end - 1
}

const LONG_S = 0x1_7f // the reference encoders fold case as Unicode does

/** The end of the English contraction that starts at `start`, or -1. */
function contractionEnd(text: string, start: number, ignoreCase: boolean): number {
  if (text.charCodeAt(start) !== APOSTROPHE) return -1
  const first = foldCase(text.charCodeAt(start + 1), ignoreCase)
  if (first === 's' || first === 't' || first === 'm' || first === 'd') return start + 2
  const pair = first + foldCase(text.charCodeAt(start + 2), ignoreCase)
  return pair === 're' || pair === 've' || pair === 'll' ? start + 3 : -1
}

function foldCase(unit: number, ignoreCase: boolean): string {
  if (Number.isNaN(unit)) return ''
  if (!ignoreCase) return String.fromCharCode(unit)
  if (unit === LONG_S) return 's'
  return String.fromCharCode(unit >= 65 && unit <= 90 ? unit + 32 : unit)
}
