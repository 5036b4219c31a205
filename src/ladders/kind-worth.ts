import type { ContentKind } from './content-kinds.ts'
import { isData } from './kind-blob.ts'
import { factsWorth } from './line-facts.ts'
import { headerEnd } from './kind-tables.ts'
import { insideEnvelope } from './kind-sample.ts'
import { mailParts } from './kind-mail.ts'

/** A line that stays whatever else goes. */
const must = 1

/**
 * What the lines of a text are worth for what stands in them beside names, by the kind of the text, in expected later uses:
 * the header of a table and its last rows, the headers and the newest words of a mail, what a test expected and what it got,
 * headings, the values of settings, and the numbers, dates and words of any script in tables, records, pages and prose. Below 0
 * where a line is worth nothing whatever names it seems to hold: data, what a mail quotes, what a page loads, and the middle of a
 * sentence that settings have wrapped.
 */
export function kindWorth(lines: readonly string[], kind: ContentKind): Float32Array {
  const values = new Float32Array(lines.length)
  if (kind === 'blob') return values.fill(nothing)
  forKind[kind]?.(lines, values)
  lines.forEach((line, index) => {
    if (isData(line)) values[index] = nothing
  })
  return values
}

const nothing = -1

/** Adds what the kind says to what the names say. */
export function withKindWorth(values: Float32Array, worths: Float32Array, share = 1): Float32Array {
  return values.map((value, index) => {
    const worth = worths[index] ?? 0
    if (value >= must || worth >= must) return must
    return worth < 0 ? 0 : Math.min(0.98, value + share * worth)
  })
}

type Rater = (lines: readonly string[], values: Float32Array) => void

const forKind: { readonly [Kind in ContentKind]?: Rater } = {
  'table': table,
  'json': addFacts,
  'prose': prose,
  'mail': mail,
  'test-output': test,
  'html': html,
  'config': config,
}

const lastRows = 2
const lastRowWorth = 0.3

/** Rows are alike: those near the ends are worth up to twice as much, for else all would stay or none. */
function table(lines: readonly string[], values: Float32Array): void {
  const { first, last } = bodyOf(lines)
  addFacts(lines, values)
  for (let index = first; index <= Math.min(last, headerEnd(lines, first)); index++) values[index] = must
  const rows = [...lines.keys()].filter((index) => index > first && index <= last && (lines[index] ?? '').trim() !== '')
  const middle = Math.max(1, (rows.length - 1) / 2)
  rows.forEach((row, at) => {
    values[row] = (values[row] ?? 0) * (0.5 + (0.5 * Math.abs(at - middle)) / middle)
  })
  for (const index of rows.slice(-lastRows)) values[index] = Math.max(values[index] ?? 0, lastRowWorth)
}

/** Indexes of the first and the last line inside the envelope of a harness. */
function bodyOf(lines: readonly string[]): { readonly first: number; readonly last: number } {
  const ends = 8
  const head = lines.slice(0, ends).join('\n')
  const before = head.slice(0, insideEnvelope(head).start)
  const tail = lines.slice(-ends).join('\n')
  const after = tail.slice(insideEnvelope(tail).end)
  return { first: before.split('\n').length - 1, last: lines.length - after.split('\n').length }
}

function addFacts(lines: readonly string[], values: Float32Array): void {
  const seen = new Set<string>()
  lines.forEach((line, index) => {
    values[index] = (values[index] ?? 0) + factsWorth(line, seen)
  })
}

const heading =
  /^\s{0,3}(?:#{1,6} \S|(?:\d{1,3}\.){1,4}\s+\p{Lu}|[\p{Lu}][\p{Lu}\d ,/&-]{3,60}$)|^\s{0,3}(?:={3,}|-{3,})$/u
const headingWorth = 0.15
const firstLines = 2

/**
 * Sentences that differ in numbers only say the same thing again: each is worth less than the one before, and where most do, the
 * first ones head nothing.
 */
function prose(lines: readonly string[], values: Float32Array): void {
  addFacts(lines, values)
  const sentences = lines.map((line) => line.slice(0, 200).replaceAll(/\p{N}+/gu, '#'))
  const told = sentences.filter((sentence) => sentence.trim() !== '')
  let first = new Set(told).size * 2 > told.length ? firstLines : 0
  const said = new Map<string, number>()
  sentences.forEach((sentence, index) => {
    if (sentence.trim() === '') return
    const times = said.get(sentence) ?? 0
    said.set(sentence, times + 1)
    const isHead = first > 0 && first-- > 0
    const own = isHead || heading.test((lines[index] ?? '').slice(0, 200)) ? headingWorth : 0
    values[index] = (own + (values[index] ?? 0)) / (1 + times)
  })
}

/** Of a line of thirty characters. */
const newWorth = 0.1

function mail(lines: readonly string[], values: Float32Array): void {
  addFacts(lines, values)
  mailParts(lines).forEach((part, index) => {
    if (part === 'header') values[index] = must
    else if (part === 'quoted') values[index] = nothing
    else values[index] = (values[index] ?? 0) + newWorth * Math.min(4, (lines[index] ?? '').trim().length / 30)
  })
}

const comparison =
  /^\s{0,16}(?:E\s+)?(?:[-+] )?(?:expected|received|actual|got|want|left|right|diff)\b(?:\[\w+\])?.{0,40}?(?::|\s{2}|[-+] \d)/i
const mostComparisons = 20

/** What was expected and what was got, of as many tests as can be told apart. */
function test(lines: readonly string[], values: Float32Array): void {
  let left = mostComparisons * 2
  lines.forEach((line, index) => {
    if (left === 0 || !comparison.test(line.slice(0, 200))) return
    values[index] = must
    left--
  })
}

const loaded = /^\s*<(?:link|meta|base|script|style|svg|path|noscript)(?:\s[^<>]{0,800})?\/?>(?:\s*<\/\w+>)?\s*$/i
const titled = /<(?:title|h[1-6]|th|caption)\b/i

/** What a page says, and not what it loads. */
function html(lines: readonly string[], values: Float32Array): void {
  const told = lines.map((line) => line.slice(0, 2000).replaceAll(/<[^<>]{0,400}>/g, ' '))
  addFacts(told, values)
  lines.forEach((line, index) => {
    if (loaded.test(line.slice(0, 1000))) values[index] = nothing
    else if (titled.test(line.slice(0, 300)) && (told[index] ?? '').trim() !== '')
      values[index] = (values[index] ?? 0) + headingWorth
  })
}

const setting = /^\s*(?:- )?["']?[\w./-]{1,60}["']?\s*[:=]\s*\S/
const settingWorth = 0.03
/** A sentence in quotation marks that goes on from the line before and on to the next one. */
const wrapped = /^\s+\\ .*$/

function config(lines: readonly string[], values: Float32Array): void {
  addFacts(lines, values)
  lines.forEach((line, index) => {
    const start = line.slice(0, 300)
    if (wrapped.test(start)) values[index] = nothing
    else if (setting.test(start)) values[index] = (values[index] ?? 0) + settingWorth
  })
}
