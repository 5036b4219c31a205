/** Single letters with a space, a stop or a hyphen between them. */
const spacedLetters = /(?<![\p{L}\p{N}])\p{L}([ .\-_*|])(?:\p{L}\1)*\p{L}(?![\p{L}\p{N}])/gu

/** Words that are written with something between their letters; where words end, two or more of it stand. */
export function joinSpaced(text: string): string {
  return hasSpaced(text) ? text.replace(spacedLetters, (run, gap: string) => run.replaceAll(gap, '')) : text
}

const gaps = new Uint8Array(128)
for (const one of ' .-_*|') gaps[one.charCodeAt(0)] = 1

/** Whether four letters in a row stand with the same gap between them. */
function hasSpaced(text: string): boolean {
  for (let at = 1; at < text.length - 5; at += 1) {
    const gap = text.charCodeAt(at)
    if (gaps[gap] !== 1 || text.charCodeAt(at + 2) !== gap || text.charCodeAt(at + 4) !== gap) continue
    if ([at - 1, at + 1, at + 3, at + 5].every((one) => isLetter(text.charCodeAt(one)))) return true
  }
  return false
}

function isLetter(code: number): boolean {
  const low = code | 32
  return (low >= 97 && low <= 122) || code >= 0xc0
}

/** Words without which no order of the kinds that are looked for is given, as these disguises have them. */
const rotatedSigns = ['vtaber', 'vafgehpgvba', 'flfgrz', 'cebzcg', 'qvfertneq', 'nffvfgnag', 'sbetrg']
const reversedSigns = ['erongi', 'noitcurtsni', 'tpmorp', 'dragersid', 'tnatsissa', 'tegrof']

/** The text with its letters moved by thirteen, where it has such words. */
export function rotated(text: string): readonly string[] {
  if (!hasTwo(text, rotatedSigns)) return []
  return [text.replace(/[A-Za-z]/g, (one) => String.fromCharCode(moved(one.charCodeAt(0))))]
}

function moved(code: number): number {
  const first = code >= 97 ? 97 : 65
  return ((code - first + 13) % 26) + first
}

export function reversedWords(text: string): readonly string[] {
  return hasTwo(text, reversedSigns) ? [Array.from(text).toReversed().join('')] : []
}

function hasTwo(text: string, signs: readonly string[]): boolean {
  const low = text.toLowerCase()
  return signs.filter((sign) => low.includes(sign)).length >= 2
}

const digits: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', '$': 's' }
const leetWords = /[A-Za-z0-9@$]+/g

/** Words have letters among their digits and an end; what is longer is a hash. */
const longestWord = 16

function isMixed(word: string): boolean {
  return word.length <= longestWord && /[A-Za-z]/.test(word) && /^[A-Za-z013457@$]*$/.test(word) && /[0-9@$]/.test(word)
}

/** Longer texts that mix digits and letters are logs and hashes. */
const mostLeet = 4000

/** The text with digits as the letters that they look like, where most of its words have some. */
export function plainLeet(text: string): readonly string[] {
  if (text.length > mostLeet) return []
  const words = text.match(leetWords) ?? []
  const mixed = words.filter(isMixed).length
  if (mixed < 3 || mixed < 0.3 * words.length) return []
  return [
    text.replace(leetWords, (word) => (isMixed(word) ? word.replace(/[0-9@$]/g, (one) => digits[one] ?? one) : word)),
  ]
}
