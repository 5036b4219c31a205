import { sameAtFront } from '../items/same-elements.ts'
import type { Piece } from '../forms/piece.ts'

export interface JoinedPieces {
  readonly text: string
  /** Where each piece but the last ends in the text. */
  readonly cuts: readonly number[]
  /** Tokens of pieces that stand for no item. */
  readonly ownTokens: number
}

/** Pieces that are joined together. */
interface Block {
  readonly text: string
  readonly ownTokens: number
  /** Where it ends in the text, and how many cuts there are up to there. */
  readonly end: number
  readonly cuts: number
}

const blockPieces = 64

/** Joins pieces, one list after another; what lists have in common at the front is not joined again. */
export function pieceJoiner(): (pieces: readonly Piece[]) => JoinedPieces {
  let last: readonly Piece[] = []
  let blocks: readonly Block[] = []
  let lastCuts: readonly number[] = []
  return (pieces) => {
    const kept = blocks.slice(0, Math.floor(sameAtFront(pieces, last) / blockPieces))
    const cuts = lastCuts.slice(0, kept.at(-1)?.cuts ?? 0)
    for (let at = kept.length * blockPieces; at < pieces.length; at += blockPieces)
      kept.push(blockOf(pieces.slice(at, at + blockPieces), kept.at(-1)?.end ?? 0, cuts))
    last = pieces
    blocks = kept
    lastCuts = cuts
    return { ...totalOf(kept), cuts }
  }
}

/** Adds the cuts of its pieces. */
function blockOf(pieces: readonly Piece[], start: number, cuts: number[]): Block {
  let text = ''
  let ownTokens = 0
  for (const piece of pieces) {
    if (start + text.length > 0) cuts.push(start + text.length)
    text += piece.fragment
    if (!('entry' in piece)) ownTokens += piece.tokens
  }
  return { text, ownTokens, end: start + text.length, cuts: cuts.length }
}

function totalOf(blocks: readonly Block[]): Pick<JoinedPieces, 'text' | 'ownTokens'> {
  let text = ''
  let ownTokens = 0
  for (const block of blocks) {
    text += block.text
    ownTokens += block.ownTokens
  }
  return { text, ownTokens }
}
