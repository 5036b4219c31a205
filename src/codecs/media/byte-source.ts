/** Bytes that are read one by one, wherever they stand. `at` throws `RangeError` where there are none. */
export interface ByteSource {
  readonly length: number
  at(index: number): number
}

export function bytesOf(bytes: Uint8Array): ByteSource {
  return {
    length: bytes.length,
    at(index) {
      const byte = bytes[index]
      if (byte === undefined) throw new RangeError('no such byte')
      return byte
    },
  }
}

/** Bytes as base64, in either of its alphabets, with breaks or without: each is made of its letters when it is asked for. */
export function base64Source(base64: string): ByteSource {
  const letters = hasBreaks(base64) ? base64.replace(/\s+/g, '') : base64
  const length = Math.max(0, Math.floor((lengthUnpadded(letters) * 3) / 4))
  return {
    length,
    at(index) {
      if (!(index >= 0 && index < length)) throw new RangeError('no such byte')
      const group = Math.floor(index / 3)
      const first = group * 4 + (index % 3)
      const bits = (valueAt(letters, first) << 6) | valueAt(letters, first + 1)
      return (bits >> shifts[(index % 3) as 0 | 1 | 2]) & 255
    },
  }
}

/** How far the byte of each place in a group lies from the end of its two letters. */
const shifts = [4, 2, 0] as const

const alphabet = new Int8Array(128).fill(-1)
for (const letters of ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_'])
  for (const [value, letter] of [...letters].entries())
    alphabet[letter.charCodeAt(0)] = letters.length > 2 ? value : 62 + value

/** A character that is no letter of base64 ends what can be read. */
function valueAt(letters: string, place: number): number {
  const value = alphabet[letters.charCodeAt(place)] ?? -1
  if (value < 0) throw new RangeError('not base64')
  return value
}

/** Mail breaks its lines; whoever does so does it soon. */
function hasBreaks(base64: string): boolean {
  return /\s/.test(base64.slice(0, 128))
}

function lengthUnpadded(letters: string): number {
  let end = letters.length
  while (end > 0 && end > letters.length - 2 && letters.charCodeAt(end - 1) === 61) end -= 1
  return end
}

/** A whole number of some bytes, the most significant first. */
export function big(source: ByteSource, at: number, bytes: number): number {
  let value = 0
  for (let index = 0; index < bytes; index += 1) value = value * 256 + source.at(at + index)
  return value
}

/** The same, the least significant first. */
export function little(source: ByteSource, at: number, bytes: number): number {
  let value = 0
  for (let index = bytes - 1; index >= 0; index -= 1) value = value * 256 + source.at(at + index)
  return value
}

/** So many bytes as letters of their codes; fewer where there are fewer. */
export function lettersAt(source: ByteSource, at: number, count: number): string {
  const codes: number[] = []
  for (let index = Math.max(0, at); index < Math.min(source.length, at + count); index += 1)
    codes.push(source.at(index))
  return String.fromCharCode(...codes)
}

/** Whether letters stand at a place. */
export function says(source: ByteSource, at: number, letters: string): boolean {
  return lettersAt(source, at, letters.length) === letters
}
