/** A piece of text in a pack and its tokens. Pieces are joined as they are. */
export interface Piece {
  readonly fragment: string
  readonly tokens: number
}

/** Text of the joined pieces. */
export function textOf(pieces: readonly Piece[]): string {
  let text = ''
  for (const { fragment } of pieces) text += fragment
  return text
}

export function tokensOf(pieces: readonly Piece[]): number {
  let tokens = 0
  for (const piece of pieces) tokens += piece.tokens
  return tokens
}
