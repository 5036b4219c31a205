import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FormLadder } from '../forms/form.ts'
import type { HistoryCut } from './compress-history.ts'
import { compressHistory } from './compress-history.ts'

/** Rungs by tokens, dearest first; the second is lossless where there are three. */
const ladderOf = (tokens: readonly number[]): FormLadder =>
  ({
    key: '',
    points: tokens.map((count) => ({ tokens: count, value: 1 })),
    hull: [],
    lossless: tokens.length === 3 ? 1 : 0,
  }) as unknown as FormLadder

const choose = (
  ladders: readonly (readonly number[])[],
  budgetTokens: number,
  options: { readonly pinned?: readonly number[]; readonly held?: HistoryCut; readonly cutShare?: number } = {},
) =>
  compressHistory({
    pinned: Uint8Array.from(ladders, (_, index) => (options.pinned?.includes(index) ? 1 : 0)),
    budgetTokens,
    held: options.held,
    cutShare: options.cutShare ?? 1,
    ladder: (index) => ladderOf(ladders[index] ?? []),
  })

const compress = (...parameters: Parameters<typeof choose>): readonly number[] => [...choose(...parameters).chosen]

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
    expect(compress([[10], [10], [10]], 20, { pinned: [0] })).toEqual([0, -1, 0])
  })

  it('X-02: a cut holds while it fits; a new one leaves room to grow', () => {
    const long = Array.from({ length: 10 }, () => [10, 2])
    const first = choose(long, 50, { cutShare: 0.8 })
    expect(first).toMatchObject({ held: false, cut: { short: 6, whole: 6 } })
    const grown = [...long, [10, 2]]
    const second = choose(grown, 50, { cutShare: 0.8, held: first.cut })
    expect(second).toMatchObject({ held: true, cut: first.cut })
    expect([...second.chosen].slice(0, 10)).toEqual([...first.chosen])
    const third = choose([...grown, [10, 2]], 50, { cutShare: 0.8, held: second.cut })
    expect(third).toMatchObject({ held: false, cut: { short: 8, whole: 8 } })
  })

  it('X-02: what a cut has hidden is not shown again when there is more room', () => {
    const held = { short: 2, whole: 3 }
    expect(
      compress(
        [
          [10, 2],
          [10, 2],
          [10, 2],
          [10, 2],
        ],
        1_000,
        { held },
      ),
    ).toEqual([-1, -1, 1, 0])
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
