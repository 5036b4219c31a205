import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyMarks, bodyPlaces } from './body-places.ts'

const filled = (seed: number, length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (Math.imul(at + 1, 2_654_435_761 + seed) >>> 13) & 0xff))

describe('bodyPlaces', () => {
  it('finds where a body was that another one continues, and the longest of several', () => {
    const sizes = fc.array(fc.integer({ min: 65_536, max: 200_000 }), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(sizes, fc.nat(1000), (lengths, seed) => {
        const whole = filled(seed, 200_000)
        const places = bodyPlaces<number>()
        const grown = lengths.toSorted((a, b) => a - b)
        for (const length of grown) places.put(bodyMarks('acme', whole.subarray(0, length)), length)
        const last = grown.at(-1) ?? 0
        const marks = bodyMarks('acme', Buffer.concat([whole.subarray(0, last), filled(seed + 1, 40_000)]))
        expect(places.find(marks)).toBe(last)
      }),
      { numRuns: 20 },
    )
  })

  it('finds nothing for a body that begins otherwise, or is of another tenant', () => {
    const places = bodyPlaces<string>()
    places.put(bodyMarks('acme', filled(1, 100_000)), 'here')
    expect(places.find(bodyMarks('acme', filled(2, 100_000)))).toBeUndefined()
    expect(places.find(bodyMarks('other', filled(1, 100_000)))).toBeUndefined()
    expect(places.find(bodyMarks('acme', filled(1, 100_000)))).toBe('here')
  })
})
