import { createRequire } from 'node:module'
import fc from 'fast-check'
import { get_encoding } from 'tiktoken'
import { Tiktoken } from 'tiktoken/lite'
import { afterAll, describe, expect, it } from 'vitest'
import { encodingTokenizer } from './encoding.ts'

const o200k = get_encoding('o200k_base')
const cl100k = get_encoding('cl100k_base')
const claude = claudeReference()

const references = {
  o200k_base: (text: string) => o200k.encode(text, [], []).length,
  cl100k_base: (text: string) => cl100k.encode(text, [], []).length,
  claude: (text: string) => claude.encode(text.normalize('NFKC'), [], []).length,
}
const ids = ['o200k_base', 'cl100k_base', 'claude'] as const

afterAll(() => {
  for (const encoding of [o200k, cl100k, claude]) encoding.free()
})

/** The same vocabulary inside the reference implementation. */
function claudeReference(): Tiktoken {
  const data = createRequire(import.meta.url)('ai-tokenizer/encoding/claude') as {
    readonly pat_str: string
    readonly stringEncoder: { readonly [token: string]: number }
    readonly binaryEncoder: readonly (readonly [Uint8Array, number])[]
  }
  const texts = Object.entries(data.stringEncoder).map(([token, rank]) => ({ bytes: Buffer.from(token), rank }))
  const binaries = data.binaryEncoder.map(([bytes, rank]) => ({ bytes: Buffer.from(bytes), rank }))
  const tokens = [...texts, ...binaries].toSorted((a, b) => a.rank - b.rank)
  const ranks = `! ${tokens[0]?.rank} ${tokens.map(({ bytes }) => bytes.toString('base64')).join(' ')}`
  return new Tiktoken(ranks, {}, data.pat_str)
}

const adversarial: { readonly [name: string]: string } = {
  'nothing': '',
  'one space': ' ',
  'emoji joined by ZWJ': '👩‍👩‍👧‍👦 family 👍🏽 flags 🇩🇪🇨🇭',
  'lone high surrogate': 'a\uD83D b',
  'lone low surrogate': '\uDE00\uDE00',
  'surrogates the wrong way round': 'x\uDE00\uD83Dy',
  'CRLF': 'one\r\ntwo\r\n\r\n  three\r\n',
  'special-token text': '<|endoftext|><|im_start|>system<|fim_prefix|>',
  'special tokens of Claude': '<EOT><META_START>\n\nHuman:',
  'NUL and escapes': 'a\0b\u001B[31mred\u001B[0m\u0007',
  'prototype words': 'hasOwnProperty constructor __proto__ toString valueOf isPrototypeOf',
  'byte order mark': '\uFEFFusing System;\uFEFF',
  'spaces that are not spaces': 'a\u00A0b\u2003c\u2028d\u0085e\u3000f',
  'contractions': "don't DON'T we'LL I'm he'S 'tis y'all're '",
  'long s in a contraction': "it'ſ he'ſs",
  'title case letters': 'ǅungla ǈubav DŽEP',
  'combining marks first': '\u0301a\u0308b \u0903',
  'modifier letters': 'ʰello ªº ˢAB',
  'numbers': '1 12 123 1234 12345 ½ Ⅷ ٣٤٥٦ 1,234,567.89',
  'camelCase and CAPS': 'parseHTTPResponse XMLHttpRequest iOS McDONALD aB Ab ABc',
  'scripts': '漢字かなカナ 한국어 кириллица ελληνικά العربية עברית हिन्दी ไทย',
  'mathematical letters': '𝒜𝓪𝟙𐐀𐐨',
  'compatibility forms': 'ﬁne ①②③ ｆｕｌｌ ㎏ ﷺ',
  'trailing spaces': 'end   \n   ',
  'tabs and indentation': '\tif (x) {\n\t\treturn  y;\n\t}\n',
  'punctuation runs': '!!!...///---===>>>\n/\n//\n```\n"""\n',
  'replacement character': '\uFFFD\uFFFD\0',
  'last code points': '\uFFFF\u{10FFFF}\u{E0001}',
}

describe('BPE counts equal the reference encoder (C-005, N-17)', () => {
  const cases = ids.flatMap((id) => Object.entries(adversarial).map(([name, text]) => ({ id, name, text })))

  it.each(cases)('$id: $name', ({ id, text }) => {
    expect(encodingTokenizer(id).count(text)).toBe(references[id](text))
  })

  it.each(ids)('%s: any mixture of difficult parts', (id) => {
    const { count } = encodingTokenizer(id)
    const part = fc.oneof(
      fc.constantFrom(...Object.values(adversarial).flatMap((text) => text.split(/(?=\s)/))),
      fc.constantFrom(' word', ' Word', 'Word', '.word', '\tword', '(word', "don't", 'naïve', 'camelCase', 'HTTPError'),
      fc.constantFrom(' ', '  ', '\n', '\r\n', '\t', "'", "'s", 'A', 'b', '9', '_', '/', '{'),
      // Blocks that were full years ago: the reference does not know letters that Unicode added lately.
      fc.integer({ min: 0, max: 0x5_ff }).map((code) => String.fromCodePoint(code)),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        expect(count(text)).toBe(references[id](text))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('pathological text is counted exactly, without quadratic work', () => {
  const letters = Array.from({ length: 50_000 }, (_, index) =>
    String.fromCharCode(97 + ((index * index * 31 + index * 7) % 26)),
  )

  it.each(ids)('%s: runs that a quadratic merge takes seconds for', (id) => {
    const { count } = encodingTokenizer(id)
    for (const text of [' '.repeat(5000), letters.slice(0, 5000).join(''), 'a'.repeat(5000), '漢'.repeat(2000)]) {
      expect(count(text)).toBe(references[id](text))
    }
  })

  it('megabytes of one piece end, with at most one token more per cut', () => {
    const { count } = encodingTokenizer('o200k_base')
    expect(count('a'.repeat(2_097_152))).toBe(262_144)
    const whole = count(letters.join(''))
    expect(count(letters.join('').repeat(40))).toBeLessThanOrEqual(40 * (whole + 1))
  })
})

it.each(['o200k_base', 'cl100k_base', 'claude'] as const)('%s is known by its own name', (id) => {
  expect(encodingTokenizer(id).id).toBe(id)
})

it('the estimate that needs no vocabulary is an encoding like any other', () => {
  expect(encodingTokenizer('heuristic').count('a sentence of six words here')).toBe(6)
})
