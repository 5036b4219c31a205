import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allOf, goneOn, isAll, sharedRuns } from './same-elements.ts'

const lists = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 })

it('finds what two lists share, in the order of both, and nothing else', () => {
  fc.assert(
    fc.property(lists, lists, (list, other) => {
      let [at, from] = [0, 0]
      for (const run of sharedRuns(list, other)) {
        expect(run.length).toBeGreaterThan(0)
        expect(run.at).toBeGreaterThanOrEqual(at)
        expect(run.from).toBeGreaterThanOrEqual(from)
        expect(list.slice(run.at, run.at + run.length)).toEqual(other.slice(run.from, run.from + run.length))
        at = run.at + run.length
        from = run.from + run.length
      }
    }),
  )
})

it('finds everything but what came, where a few elements came or went, and takes what it is told for known', () => {
  const some = fc.array(fc.nat(), { maxLength: 5 })
  fc.assert(
    fc.property(some, some, fc.array(fc.nat(), { maxLength: 60 }), some, (gone, came, both, end) => {
      const kept = both.map((value, place) => `${place} ${value}`)
      const [before, after] = [gone.map((value) => `gone ${value}`), came.map((value) => `came ${value}`)]
      const list = [...kept, ...after, ...end.map(String)]
      const runs = sharedRuns([...after, ...kept, ...end.map(String)], [...before, ...kept])
      expect(runs).toEqual(kept.length === 0 ? [] : [{ at: after.length, from: before.length, length: kept.length }])
      expect(sharedRuns(list, kept, kept.length)).toEqual(sharedRuns(list, kept))
      expect(isAll(sharedRuns(list, list), list, list)).toBe(true)
    }),
  )
})

it('goes on from the beginning of a list', () => {
  const list = [1, 2, 3]
  expect(goneOn(list, 3, [4])).toEqual([1, 2, 3, 4])
  expect(goneOn(list, 1, [4])).toEqual([1, 4])
  expect(list).toEqual([1, 2, 3])
})

it('puts any number of lists together', () => {
  expect(allOf([[1, 2], [], [3]])).toEqual([1, 2, 3])
  expect(allOf(Array.from({ length: 300_000 }, (_, at) => [at]))).toHaveLength(300_000)
})
