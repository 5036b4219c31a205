import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longStrings } from './json-strings.ts'

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

describe('the strings of any JSON', () => {
  it('stand where they are said to stand', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(value, fc.integer({ min: 2, max: 20 }), (generated, minLength) => {
        const json = JSON.stringify({ generated, long })
        const strings = longStrings(json, minLength)
        expect(strings.map(({ value: text }) => text)).toContain(long)
        for (const { start, end, value: text } of strings) expect(json.slice(start, end)).toBe(JSON.stringify(text))
      }),
    )
  })
})
