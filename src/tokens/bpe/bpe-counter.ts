import { countMerges } from './count-merges.ts'
import type { Ranks } from './ranks.ts'
import type { Split } from './split.ts'

interface BpeOptions {
  readonly ranks: Ranks
  readonly split: Split
  /** ASCII characters that the split takes into the word behind them, 1 at the code of each; plain words are not looked for where absent. */
  readonly leads?: Uint8Array
}

/** Longer pieces are cut, which bounds time and memory at the price of at most one token per cut. */
const MAX_PIECE_UNITS = 8192
const MAX_REMEMBERED_UNITS = 128
const MAX_REMEMBERED_PIECES = 32_768

/** A counter for one encoding: exact, total, and linear but for a logarithm in the length of one piece. */
export function bpeCounter(options: BpeOptions): (text: string) => number {
  const { ranks, split, leads } = options
  const remembered = new Map<string, number>()

  function countPiece(text: string, start: number, end: number): number {
    return ranks.whole.rank(text, start, end) >= 0 ? 1 : countParts(text, start, end)
  }

  function countParts(text: string, start: number, end: number): number {
    const piece = text.slice(start, end)
    const known = remembered.get(piece)
    if (known !== undefined) return known
    if (piece.length > MAX_PIECE_UNITS) return countCut(piece)
    const tokens = countMerges(piece, ranks)
    if (piece.length <= MAX_REMEMBERED_UNITS) remember(remembered, piece, tokens)
    return tokens
  }

  function countCut(piece: string): number {
    let tokens = 0
    let previous = ''
    let previousTokens = 0
    for (let start = 0; start < piece.length; start += MAX_PIECE_UNITS) {
      const cut = piece.substring(start, start + MAX_PIECE_UNITS)
      // Megabytes without a break are mostly one character over and over.
      if (cut !== previous) previousTokens = countMerges(cut.toWellFormed(), ranks)
      previous = cut
      tokens += previousTokens
    }
    return tokens
  }

  return (text) => {
    const wellFormed = text.toWellFormed()
    let tokens = 0
    for (let start = 0; start < wellFormed.length;) {
      const word = leads === undefined ? 0 : ranks.whole.plainWord(wellFormed, start, leads)
      const end = word === 0 ? split(wellFormed, start) : Math.abs(word)
      if (word > 0) tokens += 1
      else if (word < 0) tokens += countParts(wellFormed, start, end)
      else tokens += countPiece(wellFormed, start, end)
      start = end
    }
    return tokens
  }
}

function remember(remembered: Map<string, number>, piece: string, tokens: number): void {
  if (remembered.size >= MAX_REMEMBERED_PIECES) remembered.clear()
  // A substring keeps the text it was cut from alive, so a copy is kept.
  remembered.set(` ${piece}`.slice(1), tokens)
}
