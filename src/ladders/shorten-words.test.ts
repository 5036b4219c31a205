import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitWords } from '../core/index.ts'
import { shortenWords } from './shorten-words.ts'

const plain =
  'It is really quite well known that the old harbour of the town was for a very long time one of the places that the merchants of the coast liked the most, and that there is still a market there in the spring of the year.'

describe('shortenWords', () => {
  it('leaves out words of grammar, and the rest stands word for word and in order', () => {
    const shown = shortenWords(plain, { keepRatio: 0.6 })!
    expect(shown.length).toBeLessThan(0.8 * plain.length)
    let from = 0
    for (const word of shown.replaceAll(/[.,]/g, '').split(/\s+/)) {
      from = plain.indexOf(word, from)
      expect(from).toBeGreaterThanOrEqual(0)
    }
    for (const word of ['harbour', 'town', 'merchants', 'coast', 'market', 'spring']) expect(shown).toContain(word)
  })

  it('G-040: figures with what they count, names, identifiers, quotes, code and denials survive every ratio', () => {
    const facts = [
      'not before the 14th of March',
      'parse_config()',
      'src/app.ts',
      '$2,500',
      '30 days',
      'must not be opened',
      'Maria Keller',
      '"as it is"',
      '`the of a`',
      'ECONNREFUSED',
      'never',
    ]
    const text = facts.map((fact) => `${plain} And then the thing is ${fact} of the one that was there.`).join('\n\n')
    for (const keepRatio of [0, 0.3, 0.6]) {
      const shown = shortenWords(text, { keepRatio })!
      for (const fact of facts)
        for (const word of fact
          .replaceAll(/["`]/g, '')
          .split(' ')
          .filter((one) => !/^(?:the|of|be|it|is)$/.test(one)))
          expect(shown).toContain(word)
      expect(shown).toContain('`the of a`')
      expect(shown).toContain('"as it is"')
    }
  })

  it('sentences that oblige, deny or set a condition lose articles and fillers only', () => {
    const rule = 'If the customer has a negative balance in any of the accounts, you must not open the account for him.'
    const shown = shortenWords(`${plain} ${rule}`, { keepRatio: 0 })!
    expect(shown).toContain('customer has negative balance in any of the accounts, you must not open account for him.')
  })

  it('blocks of code, headings, tables and pairs stay', () => {
    const fixed = ['## The state of the art', 'name: the of a', '| the | of |', '```\nthe of a is was\n```']
    const shown = shortenWords([plain, ...fixed, plain].join('\n\n'), { keepRatio: 0.3 })!
    for (const one of fixed) expect(shown).toContain(one)
  })

  it.each([' ', '\n', '\n\n', '\n- '])(
    'G-040: weights hold in every sentence, whatever stands between them: %j',
    (between) => {
      const sentence = 'The harbour zorps in the old town near a wall of stone.'
      const text = Array.from({ length: 6 }, () => sentence).join(between)
      const worth = splitWords(text).map((word) => (word === 'zorps' ? 0 : 0.9))
      const shown = shortenWords(text, { keepRatio: 0.85, worth })
      expect(shown).not.toContain('zorps')
      expect(shown).toContain('old town')
    },
  )

  it('other languages are left alone, unless somebody says what their words are worth', () => {
    const german =
      'Der alte Hafen der Stadt war sehr lange einer der Orte, die den Kaufleuten der Küste am liebsten waren, und im Frühling des Jahres findet dort noch heute ein Markt statt, zu dem viele kommen.'
    expect(shortenWords(german, { keepRatio: 0.5 })).toBeUndefined()
    const words = german.split(' ')
    const worth = words.map((word) => (word.length < 5 ? 0 : 0.9))
    const shown = shortenWords(german, { keepRatio: 0.7, worth })!
    expect(shown.length).toBeLessThan(german.length)
    expect(shown).toContain('Kaufleuten')
  })

  it('five megabytes on one line are left alone, and hostile texts take no long time', () => {
    expect(shortenWords('the a of '.repeat(600_000), { keepRatio: 0.5 })).toBeUndefined()
    for (const text of [
      '['.repeat(10_000),
      Array.from({ length: 10_000 }, () => 'c').join('\t'),
      '\u001B[31m'.repeat(50_000),
    ])
      expect((shortenWords(text, { keepRatio: 0.5 }) ?? text).length).toBeLessThanOrEqual(text.length)
  })

  it('never makes a text longer, and never throws', () => {
    const unit = fc.constantFrom('the ', 'of ', 'a', 'B', '. ', '\n', '`', '"', '1', ' not ', '\t', '，', '😀')
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 400 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, keepRatio) => {
          const shown = shortenWords(text, { keepRatio })
          expect((shown ?? '').length).toBeLessThanOrEqual(text.length)
        },
      ),
    )
  })
})
