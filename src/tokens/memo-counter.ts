import type { Tokenizer } from '../core/index.ts'
import { apart, textMemo } from '../core/index.ts'

export interface MemoOptions {
  /** Memory that remembered texts may take, in bytes. */
  readonly maxBytes?: number
}

const usualBytes = 32 * 1024 * 1024
const bytesPerCharacter = 2

/** The tokenizer, which counts every text once and answers repeats from memory: of two generations of texts, each half of what may be taken. */
export function memoCounter(tokenizer: Tokenizer, { maxBytes = usualBytes }: MemoOptions = {}): Tokenizer {
  const counts = textMemo((text) => tokenizer.count(text), maxBytes / bytesPerCharacter / 2, { keptAs: apart })
  return { ...tokenizer, count: (text) => counts.get(text) }
}
