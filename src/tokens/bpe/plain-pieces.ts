import { codeUnits } from './code-units.ts'
import { HASH_FACTOR, HASH_START } from './rank-table.ts'
import type { RankTable } from './rank-table.ts'

const ASCII = 128
const TAB = 9
const LINE_FEED = 10
const RETURN = 13
const SPACE = 32
const APOSTROPHE = 39

/** Words are told by their letters, five bits each: six in one number, four and what stands before them in another. */
const LETTER_BITS = 5
const LETTER_MASK = 31
const HEAD_LETTERS = 6
const TAIL_LETTERS = 4
const LEAD = 128

/** Words that texts have said lately, each where its letters say. */
const RECENT_BITS = 13
const RECENT_SHIFT = 32 - RECENT_BITS
const SPREAD = 0x9e_37_79_b1

const CAPITAL_A = 65
const SMALL_A = 97

/** Whether it is a letter of those that begin with `least`. */
function isFrom(least: number, unit: number): boolean {
  return unit >= least && unit < least + 26
}

function isCapital(unit: number): boolean {
  return isFrom(CAPITAL_A, unit)
}

function isSmall(unit: number): boolean {
  return isFrom(SMALL_A, unit)
}

function isLetter(unit: number): boolean {
  return isCapital(unit) || isSmall(unit)
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

/** How a split takes plain ASCII. Sets of characters have a 1 at the code of each of them. */
export interface PlainSplit {
  /** Characters that it takes into the word behind them. */
  readonly leads: Uint8Array
  /** Those that it takes with the marks before them. */
  readonly tails: Uint8Array
  /** Whether a capital begins a word behind small letters. */
  readonly capitals: boolean
  /** Whether blanks end behind their last line break. */
  readonly breaks: boolean
  /** Whether three digits are a piece, and no more of them; else no number is plain. */
  readonly digits: boolean
}

const isBlank = asciiOf((unit) => unit === SPACE || (unit >= TAB && unit <= RETURN))
/** Neither blank nor letter nor digit; a 0 is taken for none of them, since it may stand behind the text. */
const isMark = asciiOf((unit) => unit > 0 && isBlank[unit] === 0 && !isLetter(unit) && !isDigit(unit))

export function asciiOf(holds: (unit: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: ASCII }, (_, unit) => Number(holds(unit)))
}

interface PlainOptions {
  readonly ranks: RankTable
  readonly split: PlainSplit
  /** Tokens of a piece of a text. */
  readonly count: (text: string, start: number, end: number) => number
}

/**
 * Reads the pieces of plain ASCII, one behind the other: words, numbers, marks and blanks. What may go on beyond ASCII, or with an
 * apostrophe, is left to the split. Each character is looked at once for the end and the hash, and the words that a text says again are told by
 * their letters alone.
 */
export class PlainPieces {
  /** Of what was read last. */
  tokens = 0

  readonly #options: PlainOptions
  #text = ''
  /** Its code units, and behind them a 0. */
  #units: Uint16Array = new Uint16Array(1)
  /** 1 at the ASCII characters behind which no word goes on, however a pattern ends it. */
  readonly #wordEnds: Uint8Array
  readonly #heads = new Int32Array(2 ** RECENT_BITS)
  readonly #tails = new Int32Array(2 ** RECENT_BITS)
  readonly #counts = new Uint16Array(2 ** RECENT_BITS)

  constructor(options: PlainOptions) {
    this.#options = options
    const { capitals } = options.split
    this.#wordEnds = asciiOf((unit) => !isSmall(unit) && (capitals || !isCapital(unit)) && unit !== APOSTROPHE)
  }

  /** The well-formed text that is read from now on. */
  open(text: string): void {
    this.#text = text
    this.#units = codeUnits(text)
  }

  /** The place behind the last piece from `from` on. */
  read(from: number): number {
    const { leads, digits } = this.#options.split
    const units = this.#units
    const { length } = this.#text
    let start = from
    let tokens = 0
    while (start < length) {
      const unit = units[start] as number
      const next = units[start + 1] as number
      const leading = unit < ASCII && leads[unit] === 1
      let end = start
      this.tokens = 1
      if (isLetter(leading ? next : unit)) end = this.#wordEnd(units, start, leading ? start + 1 : start)
      else if (isDigit(unit)) end = digits ? numberEnd(units, start) : start
      else if (unit < ASCII && unit !== APOSTROPHE) end = this.#marksEnd(units, start)
      if (end === start) break
      tokens += this.tokens
      start = end
    }
    this.tokens = tokens
    return start
  }

  /** The end of marks with a space before them or none, or else of blanks. */
  #marksEnd(units: Uint16Array, start: number): number {
    const { tails } = this.#options.split
    const marks = units[start] === SPACE ? start + 1 : start
    let end = marks
    while (isMark[units[end] as number] === 1) end += 1
    if (end === marks) return this.#blanksEnd(units, start)
    while (tails[units[end] as number] === 1) end += 1
    return this.#counted(units, start, end)
  }

  /** The last blank before a word belongs to the word. */
  #blanksEnd(units: Uint16Array, start: number): number {
    const { breaks, digits } = this.#options.split
    let end = start
    let behindBreak = start
    for (let unit = units[end] as number; isBlank[unit] === 1; unit = units[end] as number) {
      end += 1
      if (unit === LINE_FEED || unit === RETURN) behindBreak = end
    }
    if ((units[end] as number) >= ASCII) return start
    if (breaks && behindBreak > start) return this.#counted(units, start, behindBreak)
    if (end < this.#text.length && end > start + 1) return this.#counted(units, start, end - 1)
    return !digits && isDigit(units[end] as number) ? start : this.#counted(units, start, end)
  }

  /** The end of a piece, whose tokens are in `tokens` then, or its start where it may go on. */
  #counted(units: Uint16Array, start: number, end: number): number {
    const next = units[end] as number
    if (end === start || next >= ASCII || (next === 0 && end < this.#text.length)) return start
    // A character is a token.
    if (end === start + 1) return end
    let hash = HASH_START
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (units[at] as number), HASH_FACTOR)
    const { ranks, count } = this.#options
    this.tokens = ranks.hasUnits(hash, units, start, end) ? 1 : count(this.#text, start, end)
    return end
  }

  /** The end of a plain word, whose tokens are in `tokens` then, or its start where it is none. */
  #wordEnd(units: Uint16Array, start: number, letters: number): number {
    const first = units[letters] as number
    const isShouted = isCapital(first) && isCapital(units[letters + 1] as number)
    const least = isShouted ? CAPITAL_A : SMALL_A
    let head = ((isShouted ? 3 : isCapital(first) ? 2 : 1) << LETTER_BITS) | (first & LETTER_MASK)
    let tail = letters > start ? LEAD | (units[start] as number) : 1
    let end = letters + 1
    let unit = units[end] as number
    for (const stop = letters + HEAD_LETTERS; end < stop && isFrom(least, unit); unit = units[++end] as number)
      head = (head << LETTER_BITS) | (unit & LETTER_MASK)
    for (const stop = end + TAIL_LETTERS; end < stop && isFrom(least, unit); unit = units[++end] as number)
      tail = (tail << LETTER_BITS) | (unit & LETTER_MASK)
    if (!this.#ends(unit) || isFrom(least, unit)) return this.#longWordEnd(units, start, letters)
    const at = Math.imul(head ^ Math.imul(tail, HASH_FACTOR), SPREAD) >>> RECENT_SHIFT
    if (this.#heads[at] === head && this.#tails[at] === tail) {
      this.tokens = this.#counts[at] as number
      return end
    }
    this.#longWordEnd(units, start, letters)
    this.#heads[at] = head
    this.#tails[at] = tail
    this.#counts[at] = this.tokens
    return end
  }

  /** The same of a word of any length. */
  #longWordEnd(units: Uint16Array, start: number, letters: number): number {
    let hash = HASH_START
    if (letters > start) hash = Math.imul(hash ^ (units[start] as number), HASH_FACTOR)
    let end = letters
    let unit = units[end] as number
    for (; isCapital(unit); unit = units[++end] as number) hash = Math.imul(hash ^ unit, HASH_FACTOR)
    for (; isSmall(unit); unit = units[++end] as number) hash = Math.imul(hash ^ unit, HASH_FACTOR)
    if (!this.#ends(unit)) return start
    const { ranks, count } = this.#options
    this.tokens = ranks.hasUnits(hash, units, start, end) ? 1 : count(this.#text, start, end)
    return end
  }

  /** Whether no word goes on at a unit. */
  #ends(unit: number): boolean {
    return unit < this.#wordEnds.length && this.#wordEnds[unit] === 1
  }
}

/** Up to three digits are a piece, and a token. */
function numberEnd(units: Uint16Array, start: number): number {
  let end = start + 1
  while (end < start + 3 && isDigit(units[end] as number)) end += 1
  return (units[end] as number) < ASCII ? end : start
}
