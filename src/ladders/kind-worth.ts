import type { ContentKind } from './content-kinds.ts'
import { isData } from './kind-blob.ts'
import { freshWorths, keysOf, logLine, pageLine, saidLines } from './line-said.ts'
import type { KnownSaid, SaidLines } from './line-said.ts'
import { headerEnd } from './kind-tables.ts'
import { insideEnvelope } from './kind-sample.ts'
import { mailParts } from './kind-mail.ts'
import { isNotebook, isUnread } from './notebook.ts'
import { isStructuredLine } from './structured-line.ts'

/** A line that stays whatever else goes. */
const must = 1

/** What lines are worth for what stands in them beside names, in expected later uses. */
export interface KindWorth {
  /**
   * By what the kind of the text says of a line: the header of a table and its last rows, the headers of a mail, what a test expected
   * and what it got, headings, settings. Below 0 where a line is worth nothing whatever stands in it: data, what a mail quotes, what a
   * page loads, and the middle of a sentence that settings have wrapped.
   */
  readonly own: Float32Array
  /** By what a line says in words and figures; absent of kinds whose lines are told by their names. */
  readonly said?: SaidLines
  /** Whether it holds results, as a notebook does, and not only what can be read again. */
  readonly holdsResults: boolean
}

export function kindWorth(lines: readonly string[], kind: ContentKind): KindWorth {
  const own = new Float32Array(lines.length)
  if (kind === 'blob') return { own: own.fill(nothing), holdsResults: false }
  const tellOf = tellers[kind]
  const said = tellOf === undefined ? undefined : saidLines(lines, tellOf)
  const worth: Rated = { own, said: said?.worths ?? own.slice() }
  forKind[kind]?.(lines, worth)
  lines.forEach((line, index) => {
    if (isData(line)) own[index] = nothing
  })
  const holdsResults = isNotebook(lines)
  return said === undefined ? { own, holdsResults } : { own, said, holdsResults }
}

/** What lines say, told apart by numbers; nothing of kinds whose lines are told by their names. */
export function saidKeysOf(lines: readonly string[], kind: ContentKind): readonly number[] {
  const tellOf = tellers[kind]
  return tellOf === undefined ? [] : keysOf(lines, tellOf)
}

/** How lines are read for what they say, by kind; those of programs, of searches and of listings are not. */
const tellers: { readonly [Kind in ContentKind]?: (line: string) => string } = {
  table: (line) => line,
  json: (line) => line,
  prose: (line) => line,
  mail: (line) => line,
  config: (line) => line,
  html: pageLine,
  log: logLine,
}

const nothing = -1

/** What lines are worth beside what is known already; where nothing is, what a text says by itself. */
export function freshWorth({ own, said }: KindWorth, known: KnownSaid = nothingKnown): Float32Array {
  if (said === undefined) return own
  const fresh = freshWorths(said, known)
  return own.map((worth, index) => (worth < 0 ? worth : worth + (fresh[index] ?? 0)))
}

const nothingKnown: KnownSaid = { has: () => false }

/** Adds what the kind says to what the names say. */
export function withKindWorth(values: Float32Array, worths: Float32Array, share = 1): Float32Array {
  return values.map((value, index) => {
    const worth = worths[index] ?? 0
    if (value >= must || worth >= must) return must
    return worth < 0 ? 0 : Math.min(0.98, value + share * worth)
  })
}

interface Rated {
  readonly own: Float32Array
  readonly said: Float32Array
}

type Rater = (lines: readonly string[], worth: Rated) => void

const forKind: { readonly [Kind in ContentKind]?: Rater } = {
  'table': table,
  'json': json,
  'prose': prose,
  'mail': mail,
  'log': log,
  'diff': plan,
  'test-output': test,
  'html': html,
  'config': config,
}

const lastRows = 2
const lastRowWorth = 0.3

/** Rows are alike: those near the ends are worth up to twice as much, for else all would stay or none. */
function table(lines: readonly string[], { own, said }: Rated): void {
  const { first, last } = bodyOf(lines)
  for (let index = first; index <= Math.min(last, headerEnd(lines, first)); index++) own[index] = must
  const rows = [...lines.keys()].filter((index) => index > first && index <= last && (lines[index] ?? '').trim() !== '')
  const middle = Math.max(1, (rows.length - 1) / 2)
  rows.forEach((row, at) => {
    said[row] = (said[row] ?? 0) * (0.5 + (0.5 * Math.abs(at - middle)) / middle)
  })
  for (const index of rows.slice(-lastRows)) own[index] = Math.max(own[index] ?? 0, lastRowWorth)
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

const heading =
  /^\s{0,3}(?:#{1,6} \S|(?:\d{1,3}\.){1,4}\s+\p{Lu}|[\p{Lu}][\p{Lu}\d ,/&-]{3,60}$)|^\s{0,3}(?:={3,}|-{3,})$/u
const headingWorth = 0.15
const firstLines = 2
/** Of an item of a list or a pair, which says in short what prose would say at length. */
const listedWorth = 0.01

/**
 * Sentences that differ in numbers only say the same thing again: each is worth less than the one before, and where most do, the
 * first ones head nothing.
 */
function prose(lines: readonly string[], worth: Rated): void {
  const { own, said } = worth
  const told = repeated(lines, worth)
  let first = told.distinct * 2 > told.lines ? firstLines : 0
  lines.forEach((line, index) => {
    if (line.trim() === '') return
    if (isStructuredLine(line)) said[index] = (said[index] ?? 0) + listedWorth / (told.times[index] ?? 1)
    const isHead = first > 0 && first-- > 0
    const times = told.times[index] ?? 1
    if (isHead || heading.test(line.slice(0, 200))) own[index] = headingWorth / times
  })
}

/** What a plan of changes to machines says of each, and what forces a new one. */
const planned =
  /^\s*# \S.{0,200} (?:will be|must be|has (?:been|changed|moved)|is tainted)\b|^Plan: |# forces replacement/

function plan(lines: readonly string[], { own }: Rated): void {
  lines.forEach((line, index) => {
    if (planned.test(line.slice(0, 300))) own[index] = headingWorth
  })
}

const notable = /\b(?:WARN(?:ING)?|ERROR|FATAL|CRIT(?:ICAL)?|SEVERE)\b|"(?:level|severity)":\s?"(?:warn|error|fatal)/i
/** Of an entry that warns of nothing. */
const usualShare = 0.3
const logWord = /\p{L}{3,}/gu

/** An entry is worth what its words are rare: most entries of a log say what others before have said. */
function log(lines: readonly string[], { said }: Rated): void {
  const counts = new Map<string, number>()
  lines.forEach((line, index) => {
    const words = logLine(line).slice(0, 200).match(logWord) ?? []
    let rare = 0
    for (const word of words) {
      const count = (counts.get(word) ?? 0) + 1
      counts.set(word, count)
      rare += 1 / count
    }
    if (!notable.test(line.slice(0, 200)))
      said[index] = (said[index] ?? 0) * (words.length === 0 ? 0 : (usualShare * rare) / words.length)
  })
}

interface Repeats {
  /** How often each line has been said, but for its numbers, with this time. */
  readonly times: Uint32Array
  readonly distinct: number
  readonly lines: number
}

function repeated(lines: readonly string[], { said }: Rated): Repeats {
  const times = new Uint32Array(lines.length)
  const counts = new Map<string, number>()
  let told = 0
  lines.forEach((line, index) => {
    const sentence = line.slice(0, 200).replaceAll(/\p{N}+/gu, '#')
    if (sentence.trim() === '') return
    told += 1
    const count = (counts.get(sentence) ?? 0) + 1
    counts.set(sentence, count)
    times[index] = count
    said[index] = (said[index] ?? 0) / count
  })
  return { times, distinct: counts.size, lines: told }
}

const greeting = 20
/** Of a line of thirty characters. */
const newWorth = 0.1

function mail(lines: readonly string[], { own, said }: Rated): void {
  mailParts(lines).forEach((part, index) => {
    const { length } = (lines[index] ?? '').trim()
    if (part === 'header') own[index] = must
    else if (part === 'quoted') own[index] = nothing
    else own[index] = newWorth * Math.min(4, length / 30)
    // How a mail greets and ends says little.
    if (length < greeting) said[index] = 0
  })
}

const comparison =
  /^\s{0,16}(?:E\s+)?(?:[-+] )?(?:expected|received|actual|got|want|left|right|diff)\b(?:\[\w+\])?.{0,40}?(?::|\s{2}|[-+] \d)/i
const mostComparisons = 20

/** Of a notebook its code and its results. */
function json(lines: readonly string[], { own, said }: Rated): void {
  if (!isNotebook(lines)) return
  lines.forEach((line, index) => {
    if (isUnread(line)) own[index] = nothing
    else said[index] = (said[index] ?? 0) * amongStructure
  })
}

/** What was expected and what was got, of as many tests as can be told apart. */
function test(lines: readonly string[], { own }: Rated): void {
  let left = mostComparisons * 2
  lines.forEach((line, index) => {
    if (left === 0 || !comparison.test(line.slice(0, 200))) return
    own[index] = must
    left--
  })
}

/** Of a line of a page most is markup, so that what it says must be worth the tokens of that, too. */
const amongMarkup = 2
/** Around a line of a cell stand a dozen that say how it is nested. */
const amongStructure = 4
const loaded = /^\s*<(?:link|meta|base|script|style|svg|path|noscript)(?:\s[^<>]{0,800})?\/?>(?:\s*<\/\w+>)?\s*$/i
const titled = /<(?:title|h[1-6]|th|caption)\b|^\s*- heading "/i

/** What a page says, and not what it loads. */
function html(lines: readonly string[], { own, said }: Rated): void {
  lines.forEach((line, index) => {
    said[index] = (said[index] ?? 0) * amongMarkup
    if (loaded.test(line.slice(0, 1000))) own[index] = nothing
    else if (titled.test(line.slice(0, 300)) && (said[index] ?? 0) > 0) own[index] = headingWorth
  })
}

const setting = /^\s*(?:- )?["']?[\w./-]{1,60}["']?\s*[:=]\s*\S/
const settingWorth = 0.03
/** A sentence in quotation marks that goes on from the line before and on to the next one. */
const wrapped = /^\s+\\ .*$/

function config(lines: readonly string[], { own }: Rated): void {
  lines.forEach((line, index) => {
    const start = line.slice(0, 300)
    if (wrapped.test(start)) own[index] = nothing
    else if (setting.test(start)) own[index] = settingWorth
  })
}
