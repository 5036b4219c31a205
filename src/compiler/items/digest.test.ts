import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from '../compile-input.fixture.ts'
import { lineDigest } from './digest.ts'

const line = (which: number): string => `line ${which} ${sha256(String(which))}`

/** How a list becomes the next one: what of it stays at the front and at the back, and what comes between. */
const change = fc.record({
  front: fc.nat({ max: 120 }),
  back: fc.nat({ max: 120 }),
  between: fc.array(fc.nat({ max: 60 }), { maxLength: 80 }),
})

it('is the same whatever lists it was asked of before, and whatever it is told that they share', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), fc.boolean(), (changes, told) => {
      const digest = lineDigest(sha256)
      let lines: readonly string[] = []
      for (const { front, back, between } of changes) {
        const unchanged = Math.min(front, lines.length)
        const rest = lines.slice(Math.max(unchanged, lines.length - back))
        lines = [...lines.slice(0, unchanged), ...between.map(line), ...rest]
        expect(digest(lines, told ? unchanged : 0)).toBe(lineDigest(sha256)(lines))
      }
    }),
  )
})
