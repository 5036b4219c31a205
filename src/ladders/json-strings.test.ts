import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longStrings, withStrings } from './json-strings.ts'

const long = 'line one\nline "two"\n\\n is not a line'.repeat(8)

describe('longStrings', () => {
  it('finds values, decoded, and leaves keys and short strings out', () => {
    const json = `{ "${'k'.repeat(200)}": 1.0, "short": "x", "text": ${JSON.stringify(long)} }`
    expect(longStrings(json, 120).map(({ value }) => value)).toEqual([long])
  })

  it('gives none for a text that only looks like JSON', () => {
    expect(longStrings(`{"a": "${'\\x'.repeat(100)}"}`, 120)).toEqual([])
  })
})

describe('withStrings', () => {
  it('copies everything else as it stands', () => {
    const json = `{ "n": 1.0,\t"a": ${JSON.stringify(long)}, "b": [${JSON.stringify(long)}]  }`
    const strings = longStrings(json, 120)
    expect(withStrings(json, strings, ['one', long])).toBe(`{ "n": 1.0,\t"a": "one", "b": [${JSON.stringify(long)}]  }`)
    expect(withStrings(json, strings, [long, long])).toBe(json)
  })

  it('replaces exactly the values of any JSON', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(value, fc.integer({ min: 2, max: 20 }), (generated, minLength) => {
        const json = JSON.stringify({ generated, long })
        const strings = longStrings(json, minLength)
        const marked = withStrings(
          json,
          strings,
          strings.map(({ value: text }) => `${text}!`),
        )
        const markedStrings = longStrings(marked, minLength)
        expect(() => JSON.parse(marked)).not.toThrow()
        for (const [index, { value: text }] of strings.entries()) {
          expect(markedStrings.map((string) => string.value)).toContain(`${text}!`)
          expect(json.slice(strings[index]?.start, strings[index]?.end)).toBe(JSON.stringify(text))
        }
      }),
    )
  })
})
