/** Bit sets that say which character classes of the split patterns a code point belongs to. */
export const UPPER = 1 // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
export const LOWER = 2 // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
export const LETTER = 4
export const NUMBER = 8
export const SPACE = 16 // White_Space, as the reference encoders read \s: with U+0085, without U+FEFF
export const NEWLINE = 32
export const ASTRAL = 64 // takes two code units
export const MARK = 128

const KNOWN = 256
const bmp = new Uint16Array(65_536)
const astral = new Map<number, number>()

/** The class bits of the code point at `index`, which must be inside well-formed `text`. */
export function classAt(text: string, index: number): number {
  const known = bmp[text.charCodeAt(index)] as number
  return known === 0 ? learnClass(text.codePointAt(index) as number) : known
}

export function widthOf(classes: number): number {
  return (classes & ASTRAL) === 0 ? 1 : 2
}

/** The end of the longest run from `start` on whose code points have any bit of `wanted`. */
export function runEnd(text: string, start: number, wanted: number): number {
  let index = start
  while (index < text.length) {
    const classes = classAt(text, index)
    if ((classes & wanted) === 0) break
    index += widthOf(classes)
  }
  return index
}

/** The end of the run of code points that are neither space nor letter nor number. */
export function symbolRunEnd(text: string, start: number): number {
  let index = start
  while (index < text.length) {
    const classes = classAt(text, index)
    if ((classes & (SPACE | LETTER | NUMBER)) !== 0) break
    index += widthOf(classes)
  }
  return index
}

function learnClass(codePoint: number): number {
  if (codePoint < 65_536) {
    const classes = classify(String.fromCodePoint(codePoint)) | KNOWN
    bmp[codePoint] = classes
    return classes
  }
  const known = astral.get(codePoint)
  if (known !== undefined) return known
  const classes = classify(String.fromCodePoint(codePoint)) | KNOWN | ASTRAL
  astral.set(codePoint, classes)
  return classes
}

function classify(character: string): number {
  if (/[\r\n]/.test(character)) return SPACE | NEWLINE
  if (/\p{White_Space}/u.test(character)) return SPACE
  if (/\p{N}/u.test(character)) return NUMBER
  if (/\p{M}/u.test(character)) return MARK | UPPER | LOWER
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return LETTER | UPPER
  if (/\p{Ll}/u.test(character)) return LETTER | LOWER
  return /\p{L}/u.test(character) ? LETTER | UPPER | LOWER : 0
}
