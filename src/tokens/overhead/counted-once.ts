import type { Tokenizer } from '../../core/index.ts'

/** A tokenizer for a few words that come again and again. */
export function countedOnce({ count }: Pick<Tokenizer, 'count'>): Pick<Tokenizer, 'count'> {
  const known = new Map<string, number>()
  return {
    count(word) {
      const counted = known.get(word) ?? count(word)
      known.set(word, counted)
      return counted
    },
  }
}
