import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propositionsOf } from './propositions.ts'

const told = (text: string) => propositionsOf(text).map((one) => one.text)

describe('propositionsOf', () => {
  it('sentences are apart, abbreviations, initials and figures are not', () => {
    expect(told('Dr. J. Smith paid 3.5 EUR, e.g. for tea. Did he? Yes!')).toEqual([
      'Dr. J. Smith paid 3.5 EUR, e.g. for tea.',
      'Did he?',
      'Yes!',
    ])
  })

  it('clauses that contrast and halves of a semicolon are propositions of their own', () => {
    expect(told('The fee is waived for members; guests pay twelve euros, but children never pay anything.')).toEqual([
      'The fee is waived for members;',
      'guests pay twelve euros,',
      'but children never pay anything.',
    ])
  })

  it('what holds on a condition is not parted from it', () => {
    const rule = 'If a fee applies, the balance must be at least the fee; otherwise, the balance must be $0.'
    expect(told(rule)).toEqual([rule])
  })

  it('a hard-wrapped paragraph is one text, items, pairs and headings are lines', () => {
    const text =
      '# Terms\nThe deposit is returned within thirty days after\nthe keys are back. No pets.\n\n- first item\n- second item\nport: 8080\nhost = db-1'
    expect(propositionsOf(text).map(({ kind, text: said }) => [kind, said])).toEqual([
      ['heading', '# Terms'],
      ['sentence', 'The deposit is returned within thirty days after\nthe keys are back.'],
      ['sentence', 'No pets.'],
      ['item', 'first item'],
      ['item', 'second item'],
      ['pair', 'port: 8080'],
      ['pair', 'host = db-1'],
    ])
  })

  it('a block of code stays one', () => {
    expect(told('Run this.\n```sh\na. b. c\n\nd\n```\nThen stop.')).toEqual([
      'Run this.',
      '```sh\na. b. c\n\nd\n```',
      'Then stop.',
    ])
  })

  it('who speaks is known for all that he says', () => {
    expect(propositionsOf('Grad D: We should move it. It costs too much.')).toEqual([
      { text: 'Grad D: We should move it.', start: 0, end: 26, kind: 'item' },
      { text: 'It costs too much.', start: 27, end: 45, kind: 'item', speaker: 'Grad D' },
    ])
  })

  it('scripts without spaces have sentences, too', () => {
    expect(told('价格是三百元。不能退款！')).toEqual(['价格是三百元。', '不能退款！'])
  })

  it('nothing is said twice or left out', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', '.', '\n', ' ', ';', ':', '- ', '```', 'é', '。', '1') }),
        (text) => {
          let end = 0
          for (const one of propositionsOf(text)) {
            expect(one.start).toBeGreaterThanOrEqual(end)
            expect(text.slice(end, one.start)).toMatch(/^[\s\-\d.)*•+]*$/)
            expect(text.slice(one.start, one.end)).toBe(one.text)
            end = one.end
          }
          expect(text.slice(end).trim()).toMatch(/^[-\d.)*•+\s]*$/)
        },
      ),
    )
  })

  it('is linear in hostile texts', () => {
    for (const unit of ['.', 'a.', ' ', '\n', '(', ', but ', '```\n', 'A: ', '[', "'"]) {
      const text = unit.repeat(400_000 / unit.length)
      const said = propositionsOf(text).reduce((sum, one) => sum + one.text.length, 0)
      expect(said).toBeLessThanOrEqual(text.length)
    }
  })
})
