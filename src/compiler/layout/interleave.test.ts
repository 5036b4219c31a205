import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interleave } from './interleave.ts'

describe('interleave', () => {
  it('V-059, N-31: golden orders for one to eight', () => {
    const orders = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => interleave(Array.from({ length: count }, (_, i) => i + 1)))
    expect(orders).toEqual([
      [1],
      [1, 2],
      [1, 3, 2],
      [1, 4, 3, 2],
      [1, 4, 5, 3, 2],
      [1, 4, 5, 6, 3, 2],
      [1, 4, 5, 7, 6, 3, 2],
      [1, 4, 5, 8, 7, 6, 3, 2],
    ])
  })

  it('V-059: nothing is lost, the best stands first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (ranked) => {
        const placed = interleave(ranked)
        expect(placed.toSorted((a, b) => a - b)).toEqual(ranked.toSorted((a, b) => a - b))
        expect(placed[0]).toBe(ranked[0])
      }),
    )
  })
})
