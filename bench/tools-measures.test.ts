import { expect, it } from 'vitest'
import { areaUnderCurve, recallOf } from './tools-measures.ts'

it('counts a needed tool as found by any of its ids', () => {
  const ranked = ['a', 'b', 'c', 'd', 'e', 'f']
  const recall = recallOf([
    { ranked, gold: [['x', 'a'], ['f']] },
    { ranked, gold: [['y']] },
  ])
  expect(recall).toMatchObject({ queries: 2, at1: 0.25, at5: 0.25, at10: 0.5, all10: 0.5 })
  expect(recall.ndcg10).toBeCloseTo((1 + 1 / Math.log2(7)) / (1 + 1 / Math.log2(3)) / 2)
})

it('is the chance that a positive stands above a negative, equal ones half', () => {
  expect(areaUnderCurve([3, 4], [1, 2])).toBe(1)
  expect(areaUnderCurve([1], [1, 2])).toBe(0.25)
  expect(areaUnderCurve([2, 0], [1])).toBe(0.5)
})
