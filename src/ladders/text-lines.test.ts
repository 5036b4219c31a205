import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinLines, selectLines, textLines } from './text-lines.ts'

const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))

const nasty = fc.oneof(
  fc.string({ unit: codeUnit }),
  fc
    .array(
      fc.oneof(
        fc.string({ unit: codeUnit }),
        fc.constantFrom('\n', '\r\n', String.raw`\n`, '😀', '\ud83d', '},', '\\', ' '),
      ),
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 900 }))
    .map(([text, times]) => text.repeat(times)),
)

describe('textLines', () => {
  it('all lines together are the text, whatever it holds', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const split = textLines(text)
        expect(joinLines(split, 0, split.lines.length - 1)).toBe(text)
        expect(selectLines(text, `1-${split.lines.length}`)).toBe(text)
        expect(split.lines.every((line) => line.length <= (/^\s*[[{"]/.test(text) ? 1000 : 502))).toBe(true)
      }),
      { numRuns: 120 },
    )
  })

  it('counts the escaped lines of a JSON string as lines', () => {
    const body = Array.from({ length: 60 }, (_, index) => `row ${index}: some words`).join('\n')
    const split = textLines(`{\n  "text": ${JSON.stringify(body)}\n}`)
    expect(split.lines).toHaveLength(62)
    expect(split.lines[30]).toBe(String.raw`row 29: some words\n`)
    expect([split.joined[0], split.joined[1], split.joined[60]]).toEqual([0, 1, 0])
  })

  it('never parts a surrogate pair or an escape', () => {
    for (const unit of ['😀', String.raw`é`, String.raw`\\`]) {
      for (let shift = 0; shift < 8; shift++) {
        const { lines } = textLines('x'.repeat(shift) + unit.repeat(600))
        expect(lines.length).toBeGreaterThan(1)
        for (const line of lines) expect(line.replace(/^x*/, '').replaceAll(unit, '')).toBe('')
      }
    }
  })

  it('selects by number from 1, and tells a range from words', () => {
    expect(selectLines('a\nb\nc', '2')).toBe('b')
    expect(selectLines('a\nb\nc', '2-9')).toBe('b\nc')
    for (const range of ['0', '4', '3-2', '', 'two', '1-', '-1', '1.5'])
      expect(selectLines('a\nb\nc', range)).toBeUndefined()
  })
})
