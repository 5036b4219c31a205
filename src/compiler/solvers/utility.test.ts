import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gainOfNextToken, utilityOf } from './utility.ts'

const curve = { min: 100, weight: 0.5, alpha: 2, beta: 50, base: 1, cost: 1 }

const anyCurve = fc.record({
  min: fc.integer({ min: 0, max: 5_000 }),
  weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
  alpha: fc.double({ min: 0.01, max: 5, noNaN: true }),
  beta: fc.double({ min: 0.5, max: 5_000, noNaN: true }),
  base: fc.double({ min: 0, max: 2, noNaN: true }),
  cost: fc.double({ min: 0, max: 2, noNaN: true }),
})

describe('the utility of tokens', () => {
  it('P-006, B-45: nothing below the minimum, the base at it, logarithmic above', () => {
    expect(utilityOf(curve, 99, 0)).toBe(0)
    expect(utilityOf(curve, 100, 0)).toBe(0.5)
    expect(utilityOf(curve, 150, 0)).toBeCloseTo(0.5 * (1 + 2 * Math.LN2), 12)
    expect(utilityOf({ ...curve, base: 0 }, 100, 0)).toBe(0)
  })

  it('P-006: the derivative is weight * alpha / (beta + t - min)', () => {
    const wide = { ...curve, beta: 100_000 }
    const slope = (utilityOf(wide, 5_001, 0) - utilityOf(wide, 4_999, 0)) / 2
    expect(slope).toBeCloseTo((0.5 * 2) / (100_000 + 4_900), 12)
  })

  it('P-006: rises, and every token adds less than the one before', () => {
    fc.assert(
      fc.property(anyCurve, fc.integer({ min: 0, max: 50_000 }), (some, more) => {
        const at = some.min + more
        const gain = gainOfNextToken(some, at, 0)
        expect(gain).toBeGreaterThan(0)
        expect(gainOfNextToken(some, at + 1, 0)).toBeLessThan(gain)
        expect(utilityOf(some, at + 1, 0) - utilityOf(some, at, 0)).toBeCloseTo(gain, 9)
      }),
    )
  })

  it('P-009: every token costs the same, whatever it adds', () => {
    expect(utilityOf(curve, 150, 0) - utilityOf(curve, 150, 0.01)).toBeCloseTo(1.5, 12)
    expect(gainOfNextToken(curve, 150, 0) - gainOfNextToken(curve, 150, 0.01)).toBeCloseTo(0.01, 12)
  })
})
