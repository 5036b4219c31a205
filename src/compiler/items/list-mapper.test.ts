import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flatListMapper, listMapper } from './list-mapper.ts'

const lists = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }), { maxLength: 6 })

it('gives what is made of each element, whatever came before', () => {
  fc.assert(
    fc.property(lists, (all) => {
      const mapper = listMapper((number: number) => `made ${number}`)
      for (const list of all) expect(mapper(list)).toEqual(list.map((number) => `made ${number}`))
    }),
  )
})

it('gives all that is made of each element, whatever came before', () => {
  const some = (number: number): readonly string[] => Array.from({ length: number }, (_, at) => `${number}: ${at}`)
  fc.assert(
    fc.property(lists, (all) => {
      const mapper = flatListMapper(some)
      for (const list of all) expect(mapper(list)).toEqual(list.flatMap(some))
    }),
  )
})

it('makes nothing twice that stands in the order in which it stood, and the same list is the same again', () => {
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
  counted([1, 4, 5, 6, 7])
  counted([4, 6, 7, 8])
  expect(made).toBe(9)
})
