import { isUtf8 } from 'node:buffer'
import { RankTable } from './rank-table.ts'

/**
 * Ranks of a BPE vocabulary. Tokens that are whole UTF-8 are keyed by their text; the others, which hold parts
 * of a character, by a string with one code unit per byte.
 */
export interface Vocabulary {
  readonly whole: RankTable
  readonly parts: RankTable
}

/** Tokens laid end to end: token i takes the bytes from `ends[i - 1]` to `ends[i]` and has the rank `ranks[i]`. */
export interface TokenTable {
  readonly bytes: Buffer
  readonly ends: readonly number[]
  readonly ranks: readonly number[]
}

export function buildVocabulary({ bytes, ends, ranks }: TokenTable): Vocabulary {
  const latin1 = bytes.toString('latin1')
  const whole = new RankTable(ends.length, bytes.length)
  const parts: PartToken[] = []
  let start = 0
  for (let index = 0; index < ends.length; index += 1) {
    const end = ends[index] as number
    const rank = ranks[index] as number
    if (isAscii(bytes, start, end)) whole.add(rank, latin1, start, end)
    else if (isWhole(bytes, start, end)) whole.add(rank, bytes.toString('utf8', start, end))
    else parts.push({ bytes: latin1.slice(start, end), rank })
    start = end
  }
  return { whole, parts: partTable(parts) }
}

export interface PartToken {
  /** One code unit per byte. */
  readonly bytes: string
  readonly rank: number
}

export function partTable(parts: readonly PartToken[]): RankTable {
  const units = parts.reduce((total, part) => total + part.bytes.length, 0)
  const table = new RankTable(parts.length, units)
  for (const part of parts) table.add(part.rank, part.bytes)
  return table
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] as number) > 127) return false
  return true
}

function isWhole(bytes: Buffer, start: number, end: number): boolean {
  return isUtf8(bytes.subarray(start, end))
}
