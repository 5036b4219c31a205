import type { TextSample } from './kind-sample.ts'

const encoded = /^[A-Za-z0-9+/_-]{40,}={0,2}$/
const hex = /^(?:[0-9a-f]{2}){24,}$/i
const looked = 4000
/** Lines of what people write or programs print for people are shorter than this, on average. */
const longLine = 300

/** Data and minified code: letters that nobody reads line by line. */
export function isBlob({ lines, head, length }: TextSample): boolean {
  return isEncoded(lines, head) || isMinified(head.slice(0, looked), length)
}

/** Lines of one long word each, of hexadecimal digits or of digits and letters of both cases. */
function isEncoded(lines: readonly string[], head: string): boolean {
  const long = lines.filter((line) => hex.test(line) || encoded.test(line))
  return long.length > 0 && long.length >= 0.8 * (lines.length - 1) && (hex.test(long[0] ?? '') || isMixed(head))
}

/** A path or a name has few changes between digits and letters of either case; drawn letters have many. */
export function isMixed(text: string): boolean {
  const word = text.replaceAll(/\s/g, '')
  let changes = 0
  let last = ''
  for (const char of word) {
    const kind = /\d/.test(char) ? '0' : /[a-z]/.test(char) ? 'a' : 'A'
    if (kind !== last) changes++
    last = kind
  }
  return changes >= word.length / 6
}

/** Long lines with hardly a blank and many signs of a program. */
function isMinified(head: string, length: number): boolean {
  if (length < longLine) return false
  const lines = head.trimEnd().split('\n').length
  if (head.length / lines < longLine) return false
  const mostBlanks = 0.09 * head.length
  let blanks = 0
  let signs = 0
  for (let at = 0; at < head.length && blanks < mostBlanks; at++) {
    const code = head.charCodeAt(at)
    blanks += blankCodes[code] ?? 0
    signs += signCodes[code] ?? 0
  }
  return blanks < mostBlanks && signs > 0.07 * head.length && !/^\s*[<[]|\\n/.test(head)
}

const blankCodes = marked(' \t\n')
const signCodes = marked('{}();=')

/** 1 at the code of each of these characters. */
function marked(chars: string): Uint8Array {
  const codes = new Uint8Array(128)
  for (let at = 0; at < chars.length; at++) codes[chars.charCodeAt(at)] = 1
  return codes
}

const longWord = /[A-Za-z0-9+/=_-]{100,}/

/** A line of data in a text of another kind. */
export function isData(line: string): boolean {
  if (line.length < 100) return false
  const word = longWord.exec(line.slice(0, looked))?.[0]
  return word !== undefined && word.length * 2 > Math.min(line.length, looked) && (hex.test(word) || isMixed(word))
}

/** What a blob is, in a word. */
export function blobName(text: string): string {
  const line = text.split('\n', 12).findLast((one) => one.trim() !== '' && !/^<|>$/.test(one)) ?? ''
  if (text.includes('-----BEGIN ')) return 'pem'
  if (/(?:^|\n)data:/.test(text.slice(0, 200))) return 'data-uri'
  if (/^[0-9a-f]{6,16}:? /i.test(line)) return 'hex-dump'
  if (hex.test(line.slice(0, 400))) return 'hex'
  return encoded.test(line.slice(0, 400)) ? 'base64' : 'minified'
}
