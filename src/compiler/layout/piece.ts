/** A piece of text in a pack and its tokens. Pieces are joined as they are. */
export interface Piece {
  readonly fragment: string
  readonly tokens: number
  /** Hash of the fragment, once someone has asked for it. */
  digest: string | undefined
}

export interface JoinedPieces {
  readonly text: string
  readonly tokens: number
  /** Where each piece but the last ends in the text. */
  readonly cuts: readonly number[]
}

export function joinPieces(pieces: readonly Piece[]): JoinedPieces {
  let text = ''
  let tokens = 0
  const cuts: number[] = []
  for (const piece of pieces) {
    if (text !== '') cuts.push(text.length)
    text += piece.fragment
    tokens += piece.tokens
  }
  return { text, tokens, cuts }
}

/** The hash of a piece, made once. */
export function digestOf(piece: Piece, hash: (text: string) => string): string {
  piece.digest ??= hash(piece.fragment)
  return piece.digest
}
