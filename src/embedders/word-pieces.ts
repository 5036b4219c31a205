import { invalidInput } from '../core/index.ts'

/** A text as a model reads it. */
export interface Pieces {
  readonly ids: readonly number[]
  /** For each id the word that it is of, by its index; -1 for what a model puts around a text. */
  readonly wordOf: readonly number[]
}

/** Splits words into the ids that a model takes. */
export interface WordTokenizer {
  /** Of as many words from the first as fit in `most` ids, and how many those are. */
  pieces(words: readonly string[], most: number): Pieces & { readonly words: number }
}

/** Options of `wordPieces`. */
export interface WordPieceOptions {
  /** Lines of the model's `vocab.txt`; a piece's number is its line, from 0. */
  readonly vocabulary: readonly string[]
  /** Whether the vocabulary is one of small letters; it is by default. */
  readonly lowerCase?: boolean
}

/** What is longer is unknown. */
const longestWord = 100

/** Cuts words into the longest pieces that a vocabulary has, as BERT does. Throws `invalid-input` where it lacks what a model needs. */
export function wordPieces({ vocabulary, lowerCase = true }: WordPieceOptions): WordTokenizer {
  const numbers = new Map(vocabulary.map((piece, at) => [piece.trimEnd(), at]))
  const special = (piece: string): number => {
    const found = numbers.get(piece)
    if (found === undefined)
      throw invalidInput('vocabulary', `has no ${piece}`, "Give the lines of a BERT model's vocab.txt.")
    return found
  }
  const [opening, closing, unknown] = [special('[CLS]'), special('[SEP]'), special('[UNK]')]
  return {
    pieces(words, most) {
      const ids = [opening]
      const wordOf = [-1]
      let taken = 0
      for (const word of words) {
        const own = piecesOf(lowerCase ? plainOf(word) : word, numbers, unknown)
        if (ids.length + own.length + 1 > most && taken > 0) break
        for (const id of own.slice(0, most - ids.length - 1)) {
          ids.push(id)
          wordOf.push(taken)
        }
        taken += 1
      }
      return { ids: [...ids, closing], wordOf: [...wordOf, -1], words: taken }
    },
  }
}

function plainOf(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
}

/** Punctuation is a piece of its own. */
function piecesOf(word: string, numbers: ReadonlyMap<string, number>, unknown: number): readonly number[] {
  if (word.length > longestWord) return [unknown]
  const parts = word.match(/[\p{P}\p{S}]|[^\p{P}\p{S}]+/gu) ?? []
  return parts.flatMap((part) => longestPieces(part, numbers) ?? [unknown])
}

function longestPieces(part: string, numbers: ReadonlyMap<string, number>): readonly number[] | undefined {
  const found: number[] = []
  for (let start = 0; start < part.length;) {
    let end = part.length
    let id: number | undefined
    for (; end > start && id === undefined; end -= 1)
      id = numbers.get((start === 0 ? '' : '##') + part.slice(start, end))
    if (id === undefined) return undefined
    found.push(id)
    start = end + 1
  }
  return found
}
