import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShownLadder } from '../shown-form.ts'
import { compressHistory } from './compress-history.ts'

/** Rungs by tokens, dearest first; the second is lossless where there are three. */
const ladderOf = (tokens: readonly number[]): ShownLadder =>
  ({
    key: '',
    shown: tokens.map((count) => ({ tokens: count })),
    points: [],
    hull: [],
    lossless: tokens.length === 3 ? 1 : 0,
  }) as unknown as ShownLadder

const compress = (ladders: readonly (readonly number[])[], budgetTokens: number, pinned: readonly number[] = []) => [
  ...compressHistory({
    pinned: Uint8Array.from(ladders, (_, index) => (pinned.includes(index) ? 1 : 0)),
    budgetTokens,
    ladder: (index) => ladderOf(ladders[index] ?? []),
  }),
]

describe('compressHistory', () => {
  it('P-017: the newest whole, older ones short, the oldest not at all', () => {
    expect(
      compress(
        [
          [10, 2],
          [10, 2],
          [10, 2],
          [10, 2],
          [10, 2],
        ],
        26,
      ),
    ).toEqual([1, 1, 1, 0, 0])
    expect(
      compress(
        [
          [10, 2],
          [10, 2],
          [10, 2],
          [10, 2],
          [10, 2],
        ],
        23,
      ),
    ).toEqual([-1, -1, 1, 0, 0])
  })

  it('what loses nothing is preferred to what is dearer', () => {
    expect(
      compress(
        [
          [10, 6, 1],
          [10, 6, 1],
        ],
        12,
      ),
    ).toEqual([1, 1])
  })

  it('pinned items stand whatever lies between', () => {
    expect(compress([[10], [10], [10]], 20, [0])).toEqual([0, -1, 0])
  })

  it('P-003: never over budget, and without gaps', () => {
    const ladders = fc.array(
      fc
        .array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 })
        .map((tokens) => tokens.toSorted((a, b) => b - a)),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(ladders, fc.integer({ min: 0, max: 200 }), (rungs, budgetTokens) => {
        const chosen = compress(rungs, budgetTokens)
        const used = chosen.reduce((sum, form, index) => sum + (form === -1 ? 0 : (rungs[index]?.[form] ?? 0)), 0)
        expect(used).toBeLessThanOrEqual(budgetTokens)
        expect(chosen.lastIndexOf(-1)).toBe(chosen.filter((form) => form === -1).length - 1)
      }),
    )
  })
})
