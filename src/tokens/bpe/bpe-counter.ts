import { apart } from '../../core/index.ts'
import { countMerges } from './count-merges.ts'
import type { PlainSplit } from './plain-pieces.ts'
import { PlainPieces } from './plain-pieces.ts'
import type { Ranks } from './ranks.ts'
import type { Split } from './split.ts'

interface BpeOptions {
  readonly ranks: Ranks
  readonly split: Split
  /** How the split takes plain ASCII, which is not looked for where absent. */
  readonly plain?: PlainSplit
}

/** Longer pieces are cut, which bounds time and memory at the price of at most one token per cut. */
const MAX_PIECE_UNITS = 8192
const MAX_COUNTED_CUTS = 64
const MAX_REMEMBERED_UNITS = 128
const MAX_REMEMBERED_PIECES = 32_768

/** A counter for one encoding: exact, total, and linear but for a logarithm in the length of one piece. */
export function bpeCounter(options: BpeOptions): (text: string) => number {
  const { ranks, split, plain } = options
  const remembered = new Map<string, number>()
  const pieces = plain && new PlainPieces({ ranks: ranks.whole, split: plain, count: countParts })

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
    // Megabytes without a break are mostly a few characters over and over.
    const counted = new Map<string, number>()
    for (let start = 0; start < piece.length; start += MAX_PIECE_UNITS) {
      const cut = piece.substring(start, start + MAX_PIECE_UNITS)
      const own = counted.get(cut) ?? countMerges(cut.toWellFormed(), ranks)
      if (counted.size < MAX_COUNTED_CUTS) counted.set(cut, own)
      tokens += own
    }
    return tokens
  }

  return (text) => {
    const wellFormed = text.toWellFormed()
    const { length } = wellFormed
    pieces?.open(wellFormed)
    let tokens = 0
    for (let start = 0; start < length;) {
      if (pieces !== undefined) {
        start = pieces.read(start)
        tokens += pieces.tokens
        if (start === length) break
      }
      const end = split(wellFormed, start)
      tokens += countPiece(wellFormed, start, end)
      start = end
    }
    return tokens
  }
}

function remember(remembered: Map<string, number>, piece: string, tokens: number): void {
  if (remembered.size >= MAX_REMEMBERED_PIECES) remembered.clear()
  remembered.set(apart(piece), tokens)
}
