import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeColumns, encodeColumns } from './column-layout.ts'
import { minifyJson } from './json-source.ts'

const key = fc.oneof(
  fc.constantFrom('id', 'name', 'a b', 'x,y', '1', 'true', '(', 'k"q'),
  fc.string({ unit: 'grapheme' }),
)
const cell = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '',
    ' ',
    'true',
    'null',
    '12',
    '-',
    'a,b',
    'a"b',
    ']',
    '[(',
    'x\ny',
    '\u2028',
    '1e5',
    '{',
    'plain words',
    '\ud800',
  ),
)
const rows = fc.uniqueArray(key, { minLength: 1, maxLength: 5 }).chain((keys) =>
  fc.array(
    fc.array(fc.option(cell, { nil: undefined }), { minLength: keys.length, maxLength: keys.length }).map((cells) => {
      const pairs = keys.map((name, index) => [name, cells[index]] as const).filter(([, value]) => value !== undefined)
      return Object.fromEntries(pairs)
    }),
    { maxLength: 8 },
  ),
)
const document = fc.oneof(
  rows,
  fc.record({ total: fc.integer(), rows, more: fc.array(rows, { maxLength: 2 }) }),
  fc.jsonValue(),
)

describe('column layout', () => {
  it('a table decodes to the very values it was made of', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const encoded = encodeColumns(text)
        if (encoded === undefined) return
        expect(decodeColumns(encoded)).toBe(minifyJson(text))
      }),
      { numRuns: 200 },
    )
  })

  it('writes uniform arrays as a header and rows, wherever they stand', () => {
    const text =
      '{"total": 3, "flights": [{"id":"HAT1","price":62.0,"stops":["LGA"]},{"id":"HAT2","price":12345678901234567890},{"id":"7","price":null,"stops":[]}]}'
    expect(encodeColumns(text)).toBe(
      '{"total":3,"flights":[(id,price,stops)\nHAT1,62.0,["LGA"]\nHAT2,12345678901234567890,\n"7",null,[]\n]}',
    )
    expect(decodeColumns(encodeColumns(text) ?? '')).toBe(minifyJson(text))
  })

  it('offers nothing where keys differ in order, repeat, or the text is no JSON', () => {
    expect(encodeColumns('[{"a":1,"b":2},{"b":1,"a":2},{"a":1,"b":2}]')).toBeUndefined()
    expect(encodeColumns('[{"a":1,"a":2},{"a":1,"a":2},{"a":1,"a":2}]')).toBeUndefined()
    expect(encodeColumns('[{"a":1},{"a":2},{"a":3}')).toBeUndefined()
    expect(encodeColumns('[1,2,3]')).toBeUndefined()
  })

  it('does not decode what it did not encode', () => {
    expect(decodeColumns('[(a,b')).toBeUndefined()
    expect(decodeColumns('[(a)\n1\n')).toBeUndefined()
  })
})
