import { isUtf8 } from 'node:buffer'

/**
 * Ranks of a BPE vocabulary. Tokens that are whole UTF-8 are keyed by their text; the others, which hold parts
 * of a character, by a string with one code unit per byte.
 */
export interface Vocabulary {
  readonly whole: ReadonlyMap<string, number>
  readonly parts: ReadonlyMap<string, number>
}

/** Tokens laid end to end: token i takes the bytes from `ends[i - 1]` to `ends[i]` and has the rank `ranks[i]`. */
export interface TokenTable {
  readonly bytes: Buffer
  readonly ends: readonly number[]
  readonly ranks: readonly number[]
}

export function buildVocabulary(table: TokenTable): Vocabulary {
  const { bytes, ends, ranks } = table
  const latin1 = bytes.toString('latin1')
  const whole = new Map<string, number>()
  const parts = new Map<string, number>()
  let start = 0
  for (let index = 0; index < ends.length; index += 1) {
    const end = ends[index] as number
    const text = isAscii(bytes, start, end) ? latin1.substring(start, end) : bytes.toString('utf8', start, end)
    const isPart = text.includes('\uFFFD') && !isUtf8(bytes.subarray(start, end))
    if (isPart) parts.set(latin1.substring(start, end), ranks[index] as number)
    else whole.set(text, ranks[index] as number)
    start = end
  }
  return { whole, parts }
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] as number) > 127) return false
  return true
}
