import type { Ranks } from './ranks.ts'

/** A piece of text seen as UTF-8 bytes, with the rank of any byte range that is a token. */
export interface ByteText {
  readonly length: number
  /** The rank of the token that is exactly this range, or -1. */
  rank(start: number, end: number): number
}

export function byteText(piece: string, ranks: Ranks): ByteText {
  const { whole, parts } = ranks
  if (isAscii(piece)) return { length: piece.length, rank: (start, end) => whole.rank(piece, start, end) }
  const { bytes, unitAt } = utf8(piece)
  return {
    length: bytes.length,
    rank(start, end) {
      const from = unitAt[start] as number
      const to = unitAt[end] as number
      return from < 0 || to < 0 ? parts.rank(bytes, start, end) : whole.rank(piece, from, to)
    },
  }
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false
  return true
}

interface Utf8 {
  /** One code unit per byte. */
  readonly bytes: string
  /** For each byte offset the index of the code unit that starts there, or -1 inside a character. */
  readonly unitAt: Int32Array
}

const encoder = new TextEncoder()

/** Room for the bytes of usual pieces, of up to three a unit. */
const usualBytes = new Uint8Array(384)

function bytesOf(piece: string): Uint8Array {
  if (piece.length * 3 > usualBytes.length) return encoder.encode(piece)
  return usualBytes.subarray(0, encoder.encodeInto(piece, usualBytes).written)
}

function utf8(piece: string): Utf8 {
  const bytes = bytesOf(piece)
  const unitAt = new Int32Array(bytes.length + 1).fill(-1)
  let offset = 0
  for (let unit = 0; unit < piece.length;) {
    unitAt[offset] = unit
    const codePoint = piece.codePointAt(unit) as number
    offset += codePoint < 0x80 ? 1 : codePoint < 0x8_00 ? 2 : codePoint < 0x1_00_00 ? 3 : 4
    unit += codePoint < 0x1_00_00 ? 1 : 2
  }
  unitAt[offset] = piece.length
  return { bytes: String.fromCharCode(...bytes), unitAt }
}
