import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyPlaces, markedBody } from './body-places.ts'

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
        for (const length of grown) places.put(markedBody('acme', whole.subarray(0, length)), length)
        const last = grown.at(-1) ?? 0
        const body = markedBody('acme', Buffer.concat([whole.subarray(0, last), filled(seed + 1, 40_000)]))
        expect(places.find(body)).toBe(last)
      }),
      { numRuns: 20 },
    )
  })

  it('finds nothing for a body that begins otherwise, or is of another tenant', () => {
    const places = bodyPlaces<string>()
    places.put(markedBody('acme', filled(1, 100_000)), 'here')
    expect(places.find(markedBody('acme', filled(2, 100_000)))).toBeUndefined()
    expect(places.find(markedBody('other', filled(1, 100_000)))).toBeUndefined()
    expect(places.find(markedBody('acme', filled(1, 100_000)))).toBe('here')
  })

  it('does not go by a beginning that two have which are under way at a time, but by how they go on', () => {
    const shared = filled(1, 40_000)
    const turn = (agent: number, length: number) =>
      markedBody('acme', Buffer.concat([shared, filled(10 + agent, length)]))
    const places = bodyPlaces<string>()
    const [ann, ben] = [turn(1, 500), turn(2, 700)]
    places.begin(ann)
    places.put(ann, 'first')
    // The same, sent again, is the same conversation.
    places.begin(ann)
    expect(places.find(ann)).toBe('first')
    places.begin(ben)
    expect(places.find(ben)).toBeUndefined()
    for (const body of [ann, ann, ben]) places.end(body)
    places.put(ben, 'second')
    expect(places.find(ben)).toBeUndefined()
    const [later, other] = [turn(1, 30_000), turn(2, 30_000)]
    places.put(later, 'first')
    places.put(other, 'second')
    expect([turn(1, 31_000), turn(2, 31_000)].map(places.find)).toEqual(['first', 'second'])
  })
})
