import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatheredBytes } from './gathered-bytes.ts'

describe('gatheredBytes', () => {
  it('gives what was added in the order in which it was added, whatever the sizes', () => {
    const size = fc.oneof(fc.nat(5), fc.nat(5000), fc.nat(70_000))
    fc.assert(
      fc.property(fc.array(fc.array(size, { maxLength: 12 }), { minLength: 1, maxLength: 3 }), (takings) => {
        const gathered = gatheredBytes()
        for (const sizes of takings) {
          const pieces = sizes.map((length, index) => Buffer.alloc(length, index + 1))
          for (const piece of pieces) gathered.add(piece)
          expect(gathered.length).toBe(sizes.reduce((sum, each) => sum + each, 0))
          expect(Buffer.concat(pieces).equals(gathered.take())).toBe(true)
        }
      }),
    )
  })
})
