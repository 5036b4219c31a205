import { expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { shareOfProcess } from './share-of-process.ts'

it('processes share the cores and the memory of a machine, unless the configuration says otherwise', () => {
  const plain = parseConfig({})
  expect(shareOfProcess(plain, 1, 16)).toBe(plain)
  expect([2, 4, 16].map((count) => shareOfProcess(plain, count, 16).threads)).toEqual([7, 3, 0])
  const [two, four] = [2, 4].map((count) => shareOfProcess(plain, count, 2).limits.underwayBytes ?? 0)
  expect(Math.abs(two! / four! - 2)).toBeLessThan(0.01)
  const said = parseConfig({ threads: 5, limits: { underwayBytes: 4096 } })
  expect(shareOfProcess(said, 4, 16)).toMatchObject({ threads: 5, limits: { underwayBytes: 4096 } })
})
