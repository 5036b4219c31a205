/** A text that stands in another in an encoding that readers do not read. */
export interface DecodedText {
  readonly encoding: string
  readonly text: string
}

/** Shorter runs of letters and digits say nothing. */
const leastBase64 = 24

/** Most characters of one run that are decoded. */
const mostBase64 = 20_000

/** Texts that stand in base64; what is no text (pictures, keys, hashes) is let be. */
export function base64Texts(text: string): readonly string[] {
  const found: string[] = []
  // In a run of so many every one at such a distance belongs to it.
  for (let probe = leastBase64 - 1; probe < text.length; probe += leastBase64) {
    if (!isBase64(text.charCodeAt(probe))) continue
    let start = probe
    while (start > 0 && isBase64(text.charCodeAt(start - 1))) start -= 1
    let end = probe + 1
    while (end < text.length && isBase64(text.charCodeAt(end))) end += 1
    if (end - start >= leastBase64) found.push(...base64Text(text.slice(start, end)))
    probe = end
  }
  return found
}

function base64Text(run: string): readonly string[] {
  if (!isReadable(decodeUtf8(base64Bytes(run.slice(0, leastBase64))), 0.8)) return []
  const decoded = decodeUtf8(base64Bytes(run.slice(0, mostBase64)))
  return isReadable(decoded, 0.9) && isProse(decoded) ? [decoded] : []
}

function isBase64(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43
}

/** Letters of the tag block, which nothing shows; flags, which are made of them, are none. */
const tagRuns = /(\u{1F3F4})?([\u{E0020}-\u{E007F}]+)/gu

export function tagTexts(text: string): readonly string[] {
  const found: string[] = []
  for (const [, flag, run = ''] of text.matchAll(tagRuns)) {
    if (flag !== undefined && run.length <= 14) continue
    found.push(Array.from(run, (one) => String.fromCharCode((one.codePointAt(0) ?? 0) - 0xe0000)).join(''))
  }
  return found
}

const selectorRuns = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{4,}/gu

/** Bytes that are written as selectors of variants behind one visible character. */
export function selectorTexts(text: string): readonly string[] {
  const found: string[] = []
  for (const [run] of text.matchAll(selectorRuns)) {
    const bytes = Array.from(run, (one) => {
      const code = one.codePointAt(0) ?? 0
      return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00
    })
    const decoded = decodeUtf8(bytes)
    if (isReadable(decoded, 0.9)) found.push(decoded)
  }
  return found
}

function base64Bytes(run: string): readonly number[] {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (let at = 0; at < run.length; at += 1) {
    value = ((value << 6) | sextet(run.charCodeAt(at))) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 0xff)
  }
  return bytes
}

function sextet(code: number): number {
  if (code >= 97) return code - 71
  if (code >= 65) return code - 65
  if (code >= 48) return code + 4
  return code === 43 ? 62 : 63
}

/** Lenient: what is no character becomes U+FFFD. */
export function decodeUtf8(bytes: readonly number[]): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0
    const more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : -1
    let code = more <= 0 ? first : first & (0x3f >> more)
    let isWhole = more >= 0
    for (let next = 1; next <= more; next += 1) {
      const byte = bytes[at + next] ?? 0
      isWhole &&= (byte & 0xc0) === 0x80
      code = (code << 6) | (byte & 0x3f)
    }
    const isValid = isWhole && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    parts.push(isValid ? String.fromCodePoint(code) : '\uFFFD')
    at += isValid ? more + 1 : 1
  }
  return parts.join('')
}

/** Letters, spaces and what stands between them; a cut may end in the middle of a character. */
function isReadable(text: string, share: number): boolean {
  const readable = text.match(/[\p{L}\p{M}\p{N}\s.,:;!?'"()/-]/gu)?.length ?? 0
  return text.length > 0 && readable >= share * Array.from(text).length
}

/** Words with spaces between them, or a script that has none. */
function isProse(text: string): boolean {
  return /\p{L}{2,} \p{L}+ \p{L}/u.test(text) || /[\u3040-\u30FF\u4E00-\u9FFF\uAC00-\uD7AF]{6}/.test(text)
}
