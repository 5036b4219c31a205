import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tournament } from './tournament.ts'

const entry = fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined })
const isLarger = (a: number, b: number): boolean => a > b

describe('the best of a list whose entries change', () => {
  it('is the one that looking at all of them finds, after each change', () => {
    const changes = fc.array(fc.tuple(fc.nat(), entry), { maxLength: 30 })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), changes, (entries, changed) => {
        const held = tournament(entries, isLarger)
        const all = [...entries]
        const largest = (): number | undefined =>
          all.reduce((a, b) => (b === undefined || Number(a) > b ? a : b), undefined)
        expect(held.best()).toBe(largest())
        for (const [at, value] of changed) {
          if (all.length === 0) return
          const index = at % all.length
          all[index] = value
          held.replace(index, value)
          expect(held.best()).toBe(largest())
        }
      }),
    )
  })

  it('costs a change the logarithm of the entries', () => {
    let compared = 0
    const size = 10_000
    const held = tournament(
      Array.from({ length: size }, (_, index) => index),
      (a, b) => {
        compared += 1
        return a > b
      },
    )
    expect(compared).toBeLessThan(size)
    compared = 0
    for (let index = 0; index < 1000; index += 1) held.replace(index * 7, index)
    expect(compared).toBeLessThan(1000 * 15)
  })
})
