/** Whether a code unit is white space between words. */
export function isWordGap(code: number): boolean {
  return code <= 32 || code === 160 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000 || code === 0x2028
}

/** The words of a text: its runs of characters without white space, in their order. Linear. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = []
  let at = 0
  while (at < text.length) {
    while (at < text.length && isWordGap(text.charCodeAt(at))) at += 1
    const first = at
    while (at < text.length && !isWordGap(text.charCodeAt(at))) at += 1
    if (at > first) words.push(text.slice(first, at))
  }
  return words
}

const digits = '0123456789abcdef'

/** What words are worth, each in [0, 1], as a text of one hexadecimal digit a word. */
export function writeWordWeights(weights: ArrayLike<number>): string {
  return Array.from(weights, (value) => digits[Math.round(15 * Math.min(1, Math.max(0, value)))] ?? '0').join('')
}

/** The same back. */
export function readWordWeights(text: string): Float32Array {
  return Float32Array.from(text, (digit) => Math.max(0, digits.indexOf(digit)) / 15)
}
