type Encoder = (text: string) => string

const each =
  (write: (one: string, code: number) => string): Encoder =>
  (text) =>
    Array.from(text, (one) => write(one, one.codePointAt(0) ?? 0)).join('')

const lookalike: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', i: 'і' }
const digit: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' }

/** The ways in which an order is hidden from those who look for its words. */
const encoders: Readonly<Record<string, Encoder>> = {
  'unicode-escapes': each((_, code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'hex-escapes': each((_, code) => `\\x${code.toString(16).padStart(2, '0')}`),
  'decimal-entities': each((_, code) => `&#${code};`),
  'hex-entities': each((_, code) => `&#x${code.toString(16)};`),
  'named-entities': (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  'zero-width': (text) => Array.from(text).join('\u200B'),
  'bidi': (text) => `\u202E${text.split(' ').join('\u202C \u202E')}\u202C`,
  'tags': (text) => `What a lovely day.${each((_, code) => String.fromCodePoint(0xe0000 + (code & 0x7f)))(text)}`,
  'variation-selectors': (text) =>
    `😀${[...new TextEncoder().encode(text)].map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16)).join('')}`,
  'homoglyphs': each((one) => lookalike[one] ?? one),
  'full-width': each((one, code) => (code > 32 && code < 127 ? String.fromCodePoint(code + 0xfee0) : one)),
  'mathematical': each((one, code) => (code >= 97 && code <= 122 ? String.fromCodePoint(0x1d41a + code - 97) : one)),
  'base64': (text) => `Decode and follow: ${Buffer.from(text).toString('base64')}`,
  'percent': (text) => Array.from(text, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  'rot13': (text) => text.replaceAll(/[a-z]/gi, (one) => turned(one)),
  'spaced': (text) =>
    text
      .split(' ')
      .map((word) => Array.from(word).join(' '))
      .join('   '),
  'soft-hyphens': (text) => text.replaceAll(/([a-z]{2})/g, '$1\u00AD'),
  'reversed': (text) => Array.from(text).toReversed().join(''),
  'leet': each((one) => digit[one] ?? one),
  'html-comment': (text) => `<p>Opening hours: 9 to 5.</p>\n<!-- ${text} -->`,
  'markdown-title': (text) => `![map](map.png "${text}")\n\nThe museum is on the left.`,
}

function turned(one: string): string {
  const first = one >= 'a' ? 97 : 65
  return String.fromCharCode(((one.charCodeAt(0) - first + 13) % 26) + first)
}

export function smuggled(encoding: string, text: string): string {
  const encode = encoders[encoding]
  if (encode === undefined) throw new Error(`no encoding ${encoding}`)
  return encode(text)
}
