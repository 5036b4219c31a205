import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listMapper } from './list-mapper.ts'

it('gives what is made of each element, whatever came before, and makes nothing twice that stands at either end', () => {
  const lists = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }), { maxLength: 6 })
  fc.assert(
    fc.property(lists, (all) => {
      const mapper = listMapper((number: number) => `made ${number}`)
      for (const list of all) expect(mapper(list)).toEqual(list.map((number) => `made ${number}`))
    }),
  )
  let made = 0
  const counted = listMapper((number: number) => {
    made += 1
    return number
  })
  const first = counted([1, 2, 3, 4])
  expect(counted([1, 2, 3, 4])).toBe(first)
  counted([1, 2, 9, 3, 4])
  counted([1, 4])
  expect(made).toBe(5)
})
