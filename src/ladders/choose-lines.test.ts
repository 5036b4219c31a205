import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseLines, chooseWithin, keptTokens } from './choose-lines.ts'
import type { LineChoice } from './choose-lines.ts'

const choice: fc.Arbitrary<LineChoice> = fc
  .record({
    lines: fc.array(fc.tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 20 })), {
      minLength: 1,
      maxLength: 10,
    }),
    markerTokens: fc.integer({ min: 1, max: 20 }),
    price: fc.constantFrom(0.005, 0.02, 0.1, 0.3),
  })
  .map(({ lines, markerTokens, price }) => ({
    values: Float32Array.from(lines, ([value]) => value / 10),
    tokens: Float32Array.from(lines, ([, tokens]) => tokens),
    markerTokens,
    price,
  }))

function worth(mask: Uint8Array, { values, tokens, markerTokens, price }: LineChoice): number {
  let sum = 0
  mask.forEach((kept, index) => (sum += kept === 1 ? (values[index] ?? 0) : 0))
  return sum - price * keptTokens(mask, tokens, markerTokens)
}

describe('chooseLines', () => {
  it('finds the best of all masks that keep what must be kept', () => {
    fc.assert(
      fc.property(choice, (problem) => {
        const size = problem.values.length
        let best = -Infinity
        for (let bits = 0; bits < 2 ** size; bits++) {
          const mask = Uint8Array.from({ length: size }, (_, index) => (bits >> index) & 1)
          if (problem.values.some((value, index) => value >= 1 && mask[index] === 0)) continue
          best = Math.max(best, worth(mask, problem))
        }
        const chosen = chooseLines(problem)
        expect(worth(chosen, problem)).toBeCloseTo(best, 5)
        expect(problem.values.every((value, index) => value < 1 || chosen[index] === 1)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('stays below the target unless forced lines exceed it', () => {
    fc.assert(
      fc.property(choice, fc.integer({ min: 1, max: 120 }), (problem, target) => {
        const mask = chooseWithin(problem, target)
        const forced = Uint8Array.from(problem.values, (value) => (value >= 1 ? 1 : 0))
        const floor = keptTokens(forced, problem.tokens, problem.markerTokens)
        expect(keptTokens(mask, problem.tokens, problem.markerTokens)).toBeLessThanOrEqual(
          Math.max(target, floor, problem.markerTokens * 11),
        )
      }),
    )
  })

  it('is linear: a hundred thousand lines', () => {
    const size = 100_000
    const values = Float32Array.from({ length: size }, (_, index) => (index % 97) / 100)
    const mask = chooseLines({ values, tokens: new Float32Array(size).fill(10), markerTokens: 12, price: 0.05 })
    expect(mask.length).toBe(size)
    expect(mask.includes(0) && mask.includes(1)).toBe(true)
  })
})
