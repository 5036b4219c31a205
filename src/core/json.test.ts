import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCodeUnits, stableJson } from './json.ts'

/** The same value with the members of every object in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const)
  return Object.fromEntries(members.toReversed())
}

describe('stableJson', () => {
  it('P-030: key order and white space make no difference', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = stableJson(value)
        expect(stableJson(reversed(value))).toBe(text)
        expect(stableJson(JSON.parse(JSON.stringify(value, null, 3)))).toBe(text)
      }),
    )
  })

  it('P-030: is the value itself, so that values that differ give texts that differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(stableJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('P-030: sorts by code unit, leaves absent members out, and keeps lists as they are', () => {
    expect(stableJson({ b: 1, a: undefined, Z: [3, 1, 2], ä: null, A: { y: 0, x: -0 } })).toBe(
      '{"A":{"x":0,"y":0},"Z":[3,1,2],"b":1,"ä":null}',
    )
  })

  it('P-030: keys that hold one another’s separators are not mistaken for each other', () => {
    for (let round = 0; round < 2; round += 1) {
      expect(stableJson({ b: 1, a: 2 })).toBe('{"a":2,"b":1}')
      expect(stableJson({ 'b\na': 1 })).toBe('{"b\\na":1}')
      expect(stableJson({ 'c\na': 1, 'b': 2 })).toBe('{"b":2,"c\\na":1}')
      expect(stableJson({ c: 1, a: 2, b: 3 })).toBe('{"a":2,"b":3,"c":1}')
      expect(stableJson({ 'c': 1, 'a\nb': 2 })).toBe('{"a\\nb":2,"c":1}')
    }
  })

  it('P-030: any number of keys, in any order', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${(at * 7919) % 300}`, at]))
    const sorted = Object.keys(many).toSorted(compareCodeUnits)
    expect(stableJson(many)).toBe(`{${sorted.map((key) => `"${key}":${many[key]}`).join(',')}}`)
  })
})

describe('compareCodeUnits', () => {
  it('P-027: orders alike on every machine: capitals before small letters, accents after both', () => {
    expect(['ä', 'a', 'B', 'Z', 'b', 'É'].toSorted(compareCodeUnits)).toEqual(['B', 'Z', 'a', 'b', 'É', 'ä'])
  })
})
