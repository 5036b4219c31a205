import { RankTable } from './rank-table.ts'
import type { TokenVocabulary } from './token-vocabulary.ts'

/**
 * Ranks of a vocabulary. Tokens that are whole characters are keyed by their text; the others, which hold parts of one,
 * by a string with one code unit per byte.
 */
export interface Ranks {
  readonly whole: RankTable
  readonly parts: RankTable
}

const SPACE = 32

export function ranksOf({ text, lengths, parts }: TokenVocabulary): Ranks {
  const bytes = parts.map(byteString)
  const units = bytes.reduce((total, part) => total + part.length, 0)
  const ranks = {
    whole: new RankTable(lengths.length - parts.length, text.length),
    parts: new RankTable(parts.length, units),
  }
  let start = 0
  let part = 0
  for (let rank = 0; rank < lengths.length; rank += 1) {
    const end = start + lengths.charCodeAt(rank) - SPACE
    if (end > start) ranks.whole.add(rank, text, start, end)
    else ranks.parts.add(rank, bytes[part++] as string)
    start = end
  }
  return ranks
}

/** One code unit per byte. */
function byteString(hex: string): string {
  const bytes = Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  )
  return String.fromCharCode(...bytes)
}
