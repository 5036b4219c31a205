import type { InjectionReason } from '../core/index.ts'
import { concepts } from './concepts.ts'
import type { Evidence, Span } from './evidence.ts'
import { addressConcept, metaConcept, notConcept, rulesOf } from './rules.ts'
import { meaningsAt } from './word-index.ts'
import type { Meanings } from './word-index.ts'

/** What is quoted is less likely meant, but for commands, which are quoted always. */
const quotedWeight = 0.5

/** Longer sentences are read in parts. */
const mostWords = 80

interface Reading {
  readonly text: string
  readonly found: Evidence[]
  /** Where in its sentence each concept stood last. */
  readonly last: Int32Array
  /** What speaks for an order in this sentence, by reason. */
  readonly here: Map<InjectionReason, number>
  readonly told: Span[]
  start: number
  /** Words of the sentence so far. */
  words: number
  /** Whether a quotation is open. */
  isQuoted: boolean
}

const isLetter = letterTable()

export interface Sentences {
  readonly found: readonly Evidence[]
  /** Where attacks are told of; what stands there is an example more often than an order. */
  readonly told: readonly Span[]
}

/** Finds concepts that stand close together, sentence by sentence; each character is looked at once. */
export function readSentences(text: string): Sentences {
  const reading: Reading = {
    text: text.toLowerCase(),
    found: [],
    last: new Int32Array(concepts.length).fill(far),
    here: new Map(),
    told: [],
    start: 0,
    words: 0,
    isQuoted: false,
  }
  const low = reading.text
  for (let at = 0; at < low.length;) {
    const code = low.charCodeAt(at)
    if (isWordCode(code)) {
      const from = at
      do at += 1
      while (at < low.length && isWordCode(low.charCodeAt(at)))
      readWord(reading, from, at)
    } else {
      readMark(reading, code, at)
      at += 1
    }
  }
  endSentence(reading, low.length)
  return reading
}

/** So long ago that nothing is near. */
const far = -1_000_000

function letterTable(): Uint8Array {
  const table = new Uint8Array(0x2000).fill(1, 0xc0)
  for (let code = 48; code <= 57; code += 1) table[code] = 1
  for (let code = 97; code <= 122; code += 1) table[code] = 1
  return table
}

function isWordCode(code: number): boolean {
  return code < 0x2000 ? isLetter[code] === 1 : code >= 0x2c00 && (code < 0x3000 || code > 0x303f)
}

function readWord(reading: Reading, from: number, end: number): void {
  if (reading.words >= mostWords) endSentence(reading, from)
  reading.words += 1
  const meanings = meaningsAt(reading.text, from, end)
  if (meanings === undefined) return
  if (meanings.includes(metaConcept) && isHost(reading.text, from, end)) return
  if (!isPartOfName(reading.text, from, end)) note(reading, meanings)
  else if (meanings.includes(metaConcept)) reading.last[metaConcept] = reading.words
}

/** `example.net` is no example, and neither is `harbour.example`. */
function isHost(text: string, from: number, end: number): boolean {
  const isFirst = text.charCodeAt(end) === stop && isWordCode(text.charCodeAt(end + 1))
  return isFirst || (text.charCodeAt(from - 1) === stop && isWordCode(text.charCodeAt(from - 2)))
}

/** `--ignore-rules`, `ignore_previous`, `@Override`, `prompts/system`: a name, and no word. */
function isPartOfName(text: string, from: number, end: number): boolean {
  const before = text.charCodeAt(from - 1)
  if (before === atSign || before === dollar) return true
  if (isJoint(before) && (isWordCode(text.charCodeAt(from - 2)) || before === hyphen)) return true
  return text.charCodeAt(end) === underscore && isWordCode(text.charCodeAt(end + 1))
}

const dollar = 36
const hyphen = 45
const stop = 46
const underscore = 95
const slash = 47

function isJoint(code: number): boolean {
  return code === hyphen || code === underscore || code === slash
}

function note(reading: Reading, meanings: Meanings): void {
  const { last, words } = reading
  for (const meaning of meanings) last[meaning] = words
  for (const meaning of meanings) {
    for (const { needs, within, weight, reason, asked } of rulesOf[meaning] ?? []) {
      if (weight <= (reading.here.get(reason) ?? 0) || !isNear(last, needs, words - within)) continue
      if (asked >= 0 && isForbidden(last, asked)) continue
      reading.here.set(reason, reading.isQuoted && reason !== 'tool-order' ? weight * quotedWeight : weight)
    }
  }
}

/** Whether a "not" stands shortly before it. */
function isForbidden(last: Int32Array, asked: number): boolean {
  const before = (last[asked] ?? far) - (last[notConcept] ?? far)
  return before > 0 && before <= 3
}

/** Whether all are there, each by a word of its own, no longer ago than `since`. */
function isNear(last: Int32Array, needs: readonly number[], since: number): boolean {
  for (let one = 0; one < needs.length; one += 1) {
    const place = last[needs[one] ?? 0] ?? far
    if (place < since) return false
    for (let other = 0; other < one; other += 1) if (last[needs[other] ?? 0] === place) return false
  }
  return true
}

/** Characters around a sentence that tells of attacks which belong to it. */
const toldAround = 160

const atSign = 64
const ends: ReadonlySet<number> = new Set(Array.from('!?;。！？；', (one) => one.charCodeAt(0)))
const opening: ReadonlySet<number> = new Set(Array.from('"`“„«「', (one) => one.charCodeAt(0)))
const closing: ReadonlySet<number> = new Set(Array.from('"`”“»」', (one) => one.charCodeAt(0)))

function readMark(reading: Reading, code: number, at: number): void {
  const { text } = reading
  if (code === 10 || ends.has(code) || (code === stop && !isWordCode(text.charCodeAt(at + 1)))) {
    endSentence(reading, at + 1)
    return
  }
  if (code === atSign && isWordCode(text.charCodeAt(at - 1))) note(reading, [addressConcept])
  if (reading.isQuoted ? closing.has(code) : opening.has(code))
    reading.isQuoted = !reading.isQuoted && isMention(text, at)
}

/** A value of JSON is no quotation: what follows a colon is what is said. */
function isMention(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1) === 32 ? text.charCodeAt(at - 2) : text.charCodeAt(at - 1)
  return before !== 58
}

function endSentence(reading: Reading, end: number): void {
  const { last, here, found, told } = reading
  if (here.size > 0) {
    for (const [reason, weight] of here) found.push({ reason, weight, at: reading.start })
    here.clear()
  }
  if ((last[metaConcept] ?? far) > 0) told.push({ start: reading.start - toldAround, end: end + toldAround })
  if (reading.words > 0) last.fill(far)
  reading.words = 0
  reading.start = end
  if (reading.text.charCodeAt(end - 1) === 10) reading.isQuoted = false
}
