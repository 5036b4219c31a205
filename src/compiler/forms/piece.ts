/** A piece of text in a pack and its tokens. Pieces are joined as they are. */
export interface Piece {
  readonly fragment: string
  readonly tokens: number
  /** Hash of the fragment, once someone has asked for it. */
  digest: string | undefined
}

/** The hash of a piece, made once. */
export function digestOf(piece: Piece, hash: (text: string) => string): string {
  piece.digest ??= hash(piece.fragment)
  return piece.digest
}
