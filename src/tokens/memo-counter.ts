import type { Tokenizer } from '../core/index.ts'
import { TextMap } from '../core/index.ts'

export interface MemoOptions {
  /** Memory that remembered texts may take, in bytes. */
  readonly maxBytes?: number
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024
const BYTES_PER_ENTRY = 96
const BYTES_PER_UNIT = 2

/**
 * Counts every text once and answers repeats from memory. Two generations approximate least-recently-used:
 * when the young one holds half of the limit it becomes the old one, and what was not asked for since then is let go.
 */
export function memoCounter(tokenizer: Tokenizer, options: MemoOptions = {}): Tokenizer {
  const halfBytes = (options.maxBytes ?? DEFAULT_MAX_BYTES) / 2
  let young = new TextMap<number>()
  let old = new TextMap<number>()
  let youngBytes = 0

  function keep(text: string, tokens: number): void {
    const bytes = BYTES_PER_ENTRY + BYTES_PER_UNIT * text.length
    if (bytes > halfBytes) return
    if (youngBytes + bytes > halfBytes) {
      old = young
      young = new TextMap<number>()
      youngBytes = 0
    }
    young.set(text, tokens)
    youngBytes += bytes
  }

  function recall(text: string): number {
    const known = old.get(text)
    const tokens = known ?? tokenizer.count(text)
    keep(known === undefined ? detached(text) : text, tokens)
    return tokens
  }

  return { id: tokenizer.id, count: (text) => young.get(text) ?? recall(text) }
}

/** A substring keeps the text it was cut from alive; a copy does not. */
function detached(text: string): string {
  return ` ${text}`.slice(1)
}
