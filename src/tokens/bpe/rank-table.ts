/** Of a text without units; each unit is mixed in by `Math.imul(hash ^ unit, HASH_FACTOR)`. */
export const HASH_START = 0x81_1c_9d_c5
export const HASH_FACTOR = 0x01_00_01_93

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

  /** Whether there is a token of those units from `start` to `end`, whose hash is known. */
  hasUnits(hash: number, units: Uint16Array, start: number, end: number): boolean {
    const slots = this.#slots
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    for (;;) {
      const entry = slots[slot] as number
      if (entry === 0) return false
      if (this.#stands(entry, units, start, end)) return true
      slot = (slot + 1) & this.#mask
    }
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
