import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growingHash } from './growing-hash.ts'

describe('growingHash', () => {
  it('is SHA-256, whatever was hashed before', () => {
    const text = fc
      .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(6000))
      .map(([unit, times]) => unit.repeat(times))
    const edits = fc.array(fc.record({ kept: fc.double({ min: 0, max: 1, noNaN: true }), added: text }), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(text, edits, (first, steps) => {
        const growing = growingHash()
        let now = first
        expect(growing(now)).toBe(hash('sha256', now))
        for (const { kept, added } of steps) {
          now = now.slice(0, Math.floor(now.length * kept)) + added
          expect(growing(now)).toBe(hash('sha256', now))
        }
      }),
      { numRuns: 50 },
    )
  })

  it('a character of two code units at which two texts part', () => {
    const growing = growingHash()
    const front = 'x'.repeat(40_000)
    for (const text of [`${front}\u{1F600}`, `${front}\u{1F601}`, `${front}\ud83d`, `${front}\ud83dé`])
      expect(growing(text)).toBe(hash('sha256', text))
  })
})
