import type { Tokenizer } from '../core/index.ts'

/** A tokenizer whose counts are multiplied by a known factor; text that is not empty counts at least 1. */
export function scaledTokenizer(tokenizer: Tokenizer, factor: number): Tokenizer {
  if (factor === 1) return tokenizer
  return {
    id: `${tokenizer.id}*${factor}`,
    count(text) {
      const tokens = tokenizer.count(text)
      return tokens === 0 ? 0 : Math.max(1, Math.round(tokens * factor))
    },
  }
}
