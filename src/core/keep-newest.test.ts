import { expect, it } from 'vitest'
import { keepNewest } from './keep-newest.ts'

it('removes what was put in first, and nothing within the bound', () => {
  const map = new Map([1, 2, 3, 4].map((key) => [key, key]))
  keepNewest(map, 4)
  expect([...map.keys()]).toEqual([1, 2, 3, 4])
  map.delete(1)
  map.set(1, 1)
  keepNewest(map, 2)
  expect([...map.keys()]).toEqual([4, 1])
  keepNewest(map, 0)
  expect(map.size).toBe(0)
})
