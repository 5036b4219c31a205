import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { squarified } from './squarified.ts'

const values = fc
  .array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 60 })
  .map((list) => list.toSorted((one, other) => other - one))

it('each value gets its share of the area, inside the whole, and no two overlap', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0.3, max: 4, noNaN: true }), (list, aspect) => {
      const areas = squarified(list, aspect)
      const total = list.reduce((sum, value) => sum + value, 0)
      expect(areas).toHaveLength(list.length)
      for (const [at, { x, y, width, height }] of areas.entries()) {
        expect(width * height).toBeCloseTo((list[at] ?? 0) / total, 9)
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-9)
        expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1 + 1e-9)
        for (const other of areas.slice(at + 1)) {
          const [across, down] = [
            Math.min(x + width, other.x + other.width) - Math.max(x, other.x),
            Math.min(y + height, other.y + other.height) - Math.max(y, other.y),
          ]
          expect(Math.min(across, down)).toBeLessThan(1e-6)
        }
      }
    }),
  )
})

it('equal values are near to squares as they are drawn', () => {
  const aspect = 2.5
  for (const { width, height } of squarified(
    Array.from({ length: 10 }, () => 1),
    aspect,
  )) {
    const ratio = (width * aspect) / height
    expect(Math.max(ratio, 1 / ratio)).toBeLessThan(2)
  }
})

it('without any value there is no area', () => {
  expect(squarified([])).toEqual([])
  expect(squarified([0, 0]).map(({ width }) => width)).toEqual([0, 0])
})
