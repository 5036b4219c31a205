/** A text that is read by its places, from 0 on: a string, or one in pieces. */
export interface TextSource {
  readonly length: number
  /** The text from `start` to `end`, as `String.slice` has it. */
  slice(start?: number, end?: number): string
  /** The UTF-16 code unit at a place. */
  charCodeAt(index: number): number
  /** Whether the word stands at the place `at`. */
  startsWith(word: string, at: number): boolean
  /** The whole text as one string. */
  toString(): string
}

/** Text in memory of its own: a slice keeps all alive that it was cut from. */
export function apart(slice: string): string {
  return ` ${slice}`.slice(1)
}

/** With less in common, a text is as well kept by itself. */
const leastShared = 16_384
/** What would stand in more is put together again. */
const mostPieces = 64

/**
 * A text that begins with the first `shared` characters of another, as what is new of it and the pieces of the other: of a conversation that
 * grows, each request is kept for what it adds. The text itself comes back where the two have little in common.
 */
export function goingOn(previous: TextSource, shared: number, text: TextSource): TextSource {
  if (shared < leastShared || shared * 2 < previous.length) return text
  const known = previous instanceof PiecedText ? previous.upTo(shared) : [cut(whole(previous.slice()), shared)]
  if (known.length >= mostPieces) return text
  return new PiecedText(shared === text.length ? known : [...known, whole(apart(text.slice(shared)))])
}

/** A part of a text; its string may be a slice of a longer one, which it keeps alive. */
export interface TextPiece {
  readonly text: string
  readonly heldChars: number
}

function whole(text: string): TextPiece {
  return { text, heldChars: text.length }
}

/** The first characters of a piece; copied where they are the smaller part of what they would keep alive. */
function cut({ text, heldChars }: TextPiece, length: number): TextPiece {
  const first = text.slice(0, length)
  return length * 2 < heldChars ? whole(apart(first)) : { text: first, heldChars }
}

/** A text of several strings. */
export class PiecedText implements TextSource {
  readonly length: number
  readonly #pieces: readonly TextPiece[]
  /** Where each piece begins. */
  readonly #starts: readonly number[]
  readonly #whole: string

  constructor(pieces: readonly TextPiece[]) {
    const starts: number[] = []
    let all = ''
    for (const { text } of pieces) {
      starts.push(all.length)
      // Nothing is copied before somebody reads it.
      all += text
    }
    this.#pieces = pieces
    this.#starts = starts
    this.#whole = all
    this.length = all.length
  }

  slice(start = 0, end = this.length): string {
    let at = this.#pieceAt(start)
    const from = this.#starts[at] ?? 0
    let found = this.#textAt(at).slice(start - from, Math.max(end - from, 0))
    for (at += 1; at < this.#pieces.length && (this.#starts[at] ?? end) < end; at += 1)
      found += this.#textAt(at).slice(0, end - (this.#starts[at] ?? 0))
    return found
  }

  charCodeAt(index: number): number {
    const at = this.#pieceAt(index)
    return this.#textAt(at).charCodeAt(index - (this.#starts[at] ?? 0))
  }

  startsWith(word: string, at: number): boolean {
    return this.slice(at, at + word.length) === word
  }

  /** Made without copying; whoever reads it has all of it copied together, once. */
  toString(): string {
    return this.#whole
  }

  toJSON(): string {
    return this.#whole
  }

  /** The pieces of its first characters. */
  upTo(length: number): readonly TextPiece[] {
    const at = this.#pieceAt(length - 1)
    const last = this.#pieces[at]
    return last === undefined ? [] : [...this.#pieces.slice(0, at), cut(last, length - (this.#starts[at] ?? 0))]
  }

  /** The strings of its characters from `start` to `end`, none of which is put together. */
  stringsOf(start: number, end: number): readonly string[] {
    const found: string[] = []
    for (let at = this.#pieceAt(start); at < this.#pieces.length && (this.#starts[at] ?? end) < end; at += 1) {
      const from = this.#starts[at] ?? 0
      const text = this.#textAt(at).slice(Math.max(start - from, 0), end - from)
      if (text !== '') found.push(text)
    }
    return found
  }

  #textAt(piece: number): string {
    return this.#pieces[piece]?.text ?? ''
  }

  /** The piece in which a character stands: mostly the last. */
  #pieceAt(index: number): number {
    let high = this.#starts.length - 1
    if ((this.#starts[high] ?? 0) <= index) return Math.max(high, 0)
    let low = 0
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** The strings of which a text consists from `start` to `end`. */
export function stringsOf(text: TextSource, start = 0, end = text.length): readonly string[] {
  return text instanceof PiecedText ? text.stringsOf(start, end) : [text.slice(start, end)]
}

/** How many characters two texts have in common at their beginning. Of texts in pieces nothing is put together. */
export function commonPrefixLength(a: TextSource, b: TextSource): number {
  const [left, right] = [stringsOf(a), stringsOf(b)]
  let length = 0
  const [one, other] = [
    { index: 0, at: 0 },
    { index: 0, at: 0 },
  ]
  for (;;) {
    const [x, y] = [left[one.index], right[other.index]]
    if (x === undefined || y === undefined) return length
    const run = Math.min(x.length - one.at, y.length - other.at)
    const [mine, its] = [x.slice(one.at, one.at + run), y.slice(other.at, other.at + run)]
    if (mine !== its) return length + sharedByStrings(mine, its)
    length += run
    goOn(one, run, x)
    goOn(other, run, y)
  }
}

interface Place {
  index: number
  at: number
}

/** Moves a place in a list of strings behind so many characters of the string that it is in. */
function goOn(place: Place, chars: number, { length }: string): void {
  place.at += chars
  if (place.at < length) return
  place.index += 1
  place.at = 0
}

/** Compares in blocks, because comparing slices is many times faster than comparing characters. */
function sharedByStrings(a: string, b: string): number {
  const limit = Math.min(a.length, b.length)
  let length = 0
  for (let block = 1 << 16; block > 0; block >>= 2) {
    while (length + block <= limit && a.slice(length, length + block) === b.slice(length, length + block)) {
      length += block
    }
  }
  return length
}
