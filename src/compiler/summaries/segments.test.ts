import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsOf } from './segments.ts'

describe('the summaries that stand for blocks', () => {
  it('of a checkpoint are one for each block, of one-shot and rolling a single one', () => {
    expect(segmentsOf(3, 'checkpoint', {})).toEqual([0, 1, 2].map((first) => ({ first, blocks: 1 })))
    expect(segmentsOf(3, 'oneshot', {})).toEqual([{ first: 0, blocks: 3 }])
    expect(segmentsOf(3, 'rolling', {})).toEqual([{ first: 0, blocks: 3 }])
    expect(segmentsOf(3, 'off', {})).toEqual([])
    expect(segmentsOf(0, 'pyramid', {})).toEqual([])
  })

  it('of a pyramid are its frontier: higher levels first, all blocks once (P-069, B-50)', () => {
    expect(segmentsOf(32, 'pyramid', { foldBlocks: 5 })).toEqual([
      { first: 0, blocks: 25 },
      { first: 25, blocks: 5 },
      { first: 30, blocks: 1 },
      { first: 31, blocks: 1 },
    ])
  })

  it('grow with the logarithm of the turns: one less than are folded on each level at most (P-069, B-50, N-34)', () => {
    const frontier = (turns: number): number => segmentsOf(turns / 10, 'pyramid', { foldBlocks: 5 }).length
    expect([100, 1000, 10_000].map(frontier)).toEqual([2, 4, 4])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 2, max: 9 }), (blocks, foldBlocks) => {
        const segments = segmentsOf(blocks, 'pyramid', { foldBlocks })
        const levels = Math.floor(Math.log(blocks) / Math.log(foldBlocks) + 1e-9) + 1
        expect(segments.length).toBeLessThanOrEqual((foldBlocks - 1) * levels)
        expect(segments.reduce((end, one) => (one.first === end ? end + one.blocks : NaN), 0)).toBe(blocks)
      }),
    )
  })
})
