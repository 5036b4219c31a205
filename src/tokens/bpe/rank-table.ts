const HASH_START = 0x81_1c_9d_c5
const HASH_FACTOR = 0x01_00_01_93
const APOSTROPHE = 39
const SPACE = 32

/** 1 at the ASCII characters behind which no word goes on, however a pattern ends it. */
const endsWord = Uint8Array.from({ length: 128 }, (_, unit) => (isLetter(unit) || unit === APOSTROPHE ? 0 : 1))

function isLetter(unit: number): boolean {
  return isCapital(unit) || isSmall(unit)
}

function isCapital(unit: number): boolean {
  return unit >= 65 && unit <= 90
}

function isSmall(unit: number): boolean {
  return unit >= 97 && unit <= 122
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

/** How a split takes plain ASCII. */
export interface PlainSplit {
  /** Characters that it takes into the word behind them, 1 at the code of each. */
  readonly leads: Uint8Array
  /** Those of them that stand alone before a space or a digit; none where digits go with what stands before them. */
  readonly alone: Uint8Array
}

/** A text whose plain pieces are counted. */
export interface PlainText extends PlainSplit {
  /** Its code units, and behind them a 0, at which every piece ends. */
  units: Uint16Array
  length: number
  /** How many were read. */
  pieces: number
}

/**
 * Ranks by text in flat arrays: open addressing over packed entries, looked up by a range of a longer text. Against a
 * `Map` of strings it needs a fifth of the memory and no substring per look-up.
 */
export class RankTable {
  /** Where each slot's entry starts in `#entries`, or 0. */
  readonly #slots: Int32Array
  readonly #mask: number
  /** Per entry: rank low half, rank high half, length, code units. */
  readonly #entries: Uint16Array
  #end = 1

  /** Makes room for a number of tokens that have so many code units in all. */
  constructor(tokens: number, units: number) {
    const slots = 2 ** Math.ceil(Math.log2(tokens * 2 + 1))
    this.#slots = new Int32Array(slots)
    this.#mask = slots - 1
    this.#entries = new Uint16Array(1 + units + 3 * tokens)
  }

  /** Adds the token that stands in `text` from `start` to `end`; there must be room for it. */
  add(rank: number, text: string, start = 0, end = text.length): void {
    const slot = this.#slotOf(text, start, end)
    if (this.#slots[slot] !== 0) return
    this.#slots[slot] = this.#end
    const entries = this.#entries
    entries[this.#end] = rank & 0xff_ff
    entries[this.#end + 1] = rank >>> 16
    entries[this.#end + 2] = end - start
    this.#end += 3
    for (let index = start; index < end; index += 1) entries[this.#end++] = text.charCodeAt(index)
  }

  /** The rank of the token that is exactly `text` from `start` to `end`, or -1. */
  rank(text: string, start: number, end: number): number {
    const entry = this.#slots[this.#slotOf(text, start, end)] as number
    return entry === 0 ? -1 : (this.#entries[entry] as number) | ((this.#entries[entry + 1] as number) << 16)
  }

  /**
   * Reads pieces that every text is full of, one behind the other, for as long as each is a token: words in small letters or in capitals,
   * with a character before them or none, numbers, and marks before a space or a number. Every split takes each for a piece. Gives the place
   * behind the last. Here each of their characters is looked at once for the end and the hash.
   */
  plainPieces(read: PlainText, from: number): number {
    const { units, length, leads, alone } = read
    let start = from
    let pieces = 0
    while (start < length) {
      const unit = units[start] as number
      const next = units[start + 1] as number
      const mark = unit < leads.length && leads[unit] === 1
      let end = start
      if (isLetter(mark ? next : unit)) end = this.#wordEnd(units, start, mark ? start + 1 : start)
      else if (mark && alone[unit] === 1 && (isDigit(next) || (next === SPACE && unit !== SPACE))) end = start + 1
      else if (isDigit(unit) && alone[SPACE] === 1) end = this.#numberEnd(units, start)
      if (end === start) break
      pieces += 1
      start = end
    }
    read.pieces = pieces
    return start
  }

  /** The end of a plain word, or its start where it is none, or no token. */
  #wordEnd(units: Uint16Array, start: number, letters: number): number {
    const slots = this.#slots
    let hash = HASH_START
    if (letters > start) hash = Math.imul(hash ^ (units[start] as number), HASH_FACTOR)
    let end = letters
    let unit = units[end] as number
    while (isCapital(unit)) {
      hash = Math.imul(hash ^ unit, HASH_FACTOR)
      end += 1
      unit = units[end] as number
    }
    if (end > letters + 1 && isSmall(unit)) return start
    while (isSmall(unit)) {
      hash = Math.imul(hash ^ unit, HASH_FACTOR)
      end += 1
      unit = units[end] as number
    }
    if (unit >= endsWord.length || endsWord[unit] !== 1) return start
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    for (;;) {
      const entry = slots[slot] as number
      if (entry === 0) return start
      if (this.#stands(entry, units, start, end)) return end
      slot = (slot + 1) & this.#mask
    }
  }

  /** Up to three digits are a piece, and a token. */
  #numberEnd(units: Uint16Array, start: number): number {
    let end = start + 1
    while (end < start + 3 && isDigit(units[end] as number)) end += 1
    return (units[end] as number) < endsWord.length ? end : start
  }

  #stands(entry: number, units: Uint16Array, start: number, end: number): boolean {
    const entries = this.#entries
    if (entries[entry + 2] !== end - start) return false
    for (let index = start, at = entry + 3; index < end; index += 1, at += 1)
      if (entries[at] !== units[index]) return false
    return true
  }

  #slotOf(text: string, start: number, end: number): number {
    let hash = HASH_START
    for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), HASH_FACTOR)
    return this.#slotAt(hash, text, start, end)
  }

  #slotAt(hash: number, text: string, start: number, end: number): number {
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    for (;;) {
      const entry = this.#slots[slot] as number
      if (entry === 0 || this.#holds(entry, text, start, end)) return slot
      slot = (slot + 1) & this.#mask
    }
  }

  #holds(entry: number, text: string, start: number, end: number): boolean {
    const entries = this.#entries
    if (entries[entry + 2] !== end - start) return false
    for (let index = start, at = entry + 3; index < end; index += 1, at += 1) {
      if (entries[at] !== text.charCodeAt(index)) return false
    }
    return true
  }
}
