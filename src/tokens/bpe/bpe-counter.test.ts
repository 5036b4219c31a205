import { expect, it } from 'vitest'
import { bpeCounter } from './bpe-counter.ts'
import type { Ranks } from './ranks.ts'

/** Letters and pairs of them are tokens; says how often a rank was looked up. */
function countingRanks(): { readonly ranks: Ranks; readonly lookups: () => number } {
  let lookups = 0
  const rank = (_text: string, start: number, end: number): number => {
    lookups += 1
    return end - start === 2 ? 1 : -1
  }
  return { ranks: { whole: { rank }, parts: { rank } } as unknown as Ranks, lookups: () => lookups }
}

it('one letter a million times over costs no more work than a few thousand of it', () => {
  const { ranks, lookups } = countingRanks()
  const count = bpeCounter({ ranks, split: (text) => text.length })
  expect(count('a'.repeat(1_048_576))).toBe(524_288)
  expect(lookups()).toBeLessThan(100_000)
})
