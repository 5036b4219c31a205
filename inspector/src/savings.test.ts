import { expect, it } from 'vitest'
import { savedWords, savingsOf } from './savings.ts'

it('no saving is of what mode observe paid', () => {
  const dollars = { usd: 1.5, passThroughUsd: 1.75, clientUsd: 2 }
  expect(savingsOf(dollars)).toEqual({ saved: 0.5, byMarks: 0.25, byPacking: 0.25, of: 2 })
  expect(savingsOf({ ...dollars, observedUsd: 1 })).toEqual({ saved: 0.5, byMarks: 0.25, byPacking: 0.25, of: 1 })
})

it('where nothing was read from the cache, the words say what saved by cache marks is', () => {
  const savings = { saved: 0.5, byMarks: 0.25, byPacking: 0.25, of: 1 }
  expect(savedWords(savings, 0.4)).toBe(
    '50% of $1.00, the client’s own requests: $0.25 by cache marks, $0.25 by packing',
  )
  expect(savedWords(savings, 0)).toMatch(/by packing\. Nothing was read from the cache: by cache marks is an estimate/)
  expect(savedWords({ ...savings, byMarks: 0 }, 0)).not.toContain('Nothing was read')
})
