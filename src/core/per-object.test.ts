import { expect, it } from 'vitest'
import { perObject, perObjectAndKey } from './per-object.ts'

it('a value is computed once per object, even where it is undefined', () => {
  const asked: object[] = []
  const valueOf = perObject((of: { readonly value?: number }) => {
    asked.push(of)
    return of.value
  })
  const [one, none] = [{ value: 1 }, {}]
  expect([valueOf(one), valueOf(none), valueOf(one), valueOf(none), valueOf({ value: 1 })]).toEqual([
    1,
    undefined,
    1,
    undefined,
    1,
  ])
  expect(asked).toHaveLength(3)
})

it('a value is computed anew for another key, and only the newest key is remembered', () => {
  let times = 0
  const remembered = perObjectAndKey<object, number>()
  const of = {}
  const count = (): number => ++times
  expect(['a', 'a', 'b', 'b', 'a'].map((key) => remembered(of, key, count))).toEqual([1, 1, 2, 2, 3])
  expect(remembered({}, 'a', count)).toBe(4)
})
