import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RungProblem } from './choose-rungs.ts'
import type { RungOptions } from './rung-plan.ts'
import { chooseRungs, leftOut } from './choose-rungs.ts'
import { hullOf } from './hull.ts'

const anyPoint = fc.record({ tokens: fc.integer({ min: 0, max: 12 }), value: fc.integer({ min: 0, max: 20 }) })

const anyLadder = fc.record(
  {
    points: fc.array(anyPoint, { minLength: 1, maxLength: 4 }),
    weight: fc.constantFrom(0, 0.25, 0.3, 1, 2),
    pinned: fc.constantFrom(false, false, false, true),
    group: fc.constantFrom('a', 'b'),
  },
  { requiredKeys: ['points', 'weight', 'pinned'] },
)

const anyProblem: fc.Arbitrary<RungProblem> = fc.record({
  ladders: fc.array(anyLadder, { maxLength: 7 }),
  budgetTokens: fc.integer({ min: 0, max: 40 }),
})

function worth({ ladders }: RungProblem, chosen: readonly number[]) {
  let tokens = 0
  let value = 0
  for (const [index, point] of chosen.entries()) {
    if (point === leftOut) continue
    const ladder = ladders[index]!
    tokens += ladder.points[point]!.tokens
    value += ladder.points[point]!.value * ladder.weight
  }
  return { tokens, value }
}

function isAllowed(ladders: readonly RungOptions[], chosen: readonly number[]): boolean {
  const shown = new Map<string, boolean>()
  return ladders.every(({ group, pinned }, index) => {
    const point = chosen[index]!
    if (pinned === true && point !== 0) return false
    if (group === undefined) return true
    const others = shown.get(group) ?? point !== leftOut
    shown.set(group, others)
    return others === (point !== leftOut)
  })
}

/** Dynamic programming over tokens for what is not grouped, enumeration of the groups' fates around it. */
function optimum(problem: RungProblem): number {
  let best = -Infinity
  for (const shown of [[], ['a'], ['b'], ['a', 'b']]) best = Math.max(best, optimumWith(problem, shown))
  return best
}

function optimumWith({ ladders, budgetTokens }: RungProblem, shown: readonly string[]): number {
  let table = Array.from({ length: budgetTokens + 1 }, () => 0)
  for (const { points, weight, pinned, group } of ladders) {
    const states = (pinned ? points.slice(0, 1) : points).map(({ tokens, value }) => ({
      tokens,
      value: value * weight,
    }))
    const mayHide = pinned !== true && (group === undefined || !shown.includes(group))
    const mayShow = group === undefined || shown.includes(group)
    const options = [...(mayShow ? states : []), ...(mayHide ? [{ tokens: 0, value: 0 }] : [])]
    table = table.map((_, budget) =>
      Math.max(-Infinity, ...options.map(({ tokens, value }) => (table[budget - tokens] ?? -Infinity) + value)),
    )
  }
  return table.at(-1) ?? -Infinity
}

/** The largest value that one item or one group can have: what rounding may cost. */
function largestStep({ ladders }: RungProblem): number {
  const sums = new Map<string, number>()
  for (const [index, { points, weight, group }] of ladders.entries()) {
    const key = group ?? `#${index}`
    sums.set(key, (sums.get(key) ?? 0) + Math.max(...points.map(({ value }) => value)) * weight)
  }
  return Math.max(0, ...sums.values())
}

const threeRungs = (tokens: number): RungOptions => ({
  weight: 1,
  points: [
    { tokens, value: 1 },
    { tokens: tokens / 2, value: 0.995 },
    { tokens: 2, value: 0.1 },
  ],
})

const fiveRungs = (tokens: number): RungOptions => ({
  weight: 1,
  points: [
    { tokens, value: 1 },
    { tokens: Math.floor(tokens * 0.8), value: 0.97 },
    { tokens: Math.floor(tokens * 0.4), value: 0.6 },
    { tokens: 18, value: 0.12 },
    { tokens: 12, value: 0.05 },
  ],
})

describe('chooseRungs', () => {
  it('P-024: within one item of dynamic programming, and never over budget', () => {
    fc.assert(
      fc.property(anyProblem, (problem) => {
        const result = chooseRungs(problem)
        const best = optimum(problem)
        expect(result.fits).toBe(best > -Infinity)
        if (!result.fits) return
        expect(result.tokens).toBeLessThanOrEqual(problem.budgetTokens)
        expect(result.value).toBeLessThanOrEqual(best + 1e-9)
        expect(result.value).toBeGreaterThanOrEqual(best - largestStep(problem) - 1e-9)
      }),
      { numRuns: 2_000 },
    )
  })

  it('P-057: pinned items stand in full and groups live or die together, fitting or not', () => {
    fc.assert(
      fc.property(anyProblem, (problem) => {
        const chosen = [...chooseRungs(problem).chosen]
        expect(isAllowed(problem.ladders, chosen)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('the reported tokens and value are those of the choice', () => {
    fc.assert(
      fc.property(anyProblem, (problem) => {
        const result = chooseRungs(problem)
        const actual = worth(problem, [...result.chosen])
        expect(result.tokens).toBe(actual.tokens)
        expect(result.value).toBeCloseTo(actual.value, 9)
      }),
    )
  })

  it('a larger budget is never worth less', () => {
    fc.assert(
      fc.property(anyProblem, fc.integer({ min: 1, max: 20 }), (problem, more) => {
        const before = chooseRungs(problem)
        const after = chooseRungs({ ...problem, budgetTokens: problem.budgetTokens + more })
        fc.pre(before.fits)
        expect(after.value).toBeGreaterThanOrEqual(before.value - 1e-9)
      }),
      { numRuns: 5_000 },
    )
  })

  it('token by token, a few items of usual ladders are never worth less', () => {
    const anyUsual = fc.record({
      tokens: fc.integer({ min: 20, max: 200 }),
      weight: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(anyUsual, { minLength: 2, maxLength: 6 }), (items) => {
        const ladders = items.map(({ tokens, weight }) => ({ ...fiveRungs(tokens), weight }))
        const total = items.reduce((sum, { tokens }) => sum + tokens, 0)
        let worthBefore = 0
        for (let budgetTokens = 0; budgetTokens <= total; budgetTokens += 1) {
          const { value } = chooseRungs({ ladders, budgetTokens })
          expect(value).toBeGreaterThanOrEqual(worthBefore - 1e-9)
          worthBefore = value
        }
      }),
      { numRuns: 25 },
    )
  })

  it('steps of a group that are worth the same per token keep their order', () => {
    const member = (tokens: number, value: number, weight: number): RungOptions => ({
      group: 'a',
      weight,
      points: [
        { tokens: tokens + 1, value },
        { tokens: 1, value: 0 },
      ],
    })
    for (const weight of [0.1, 0.3, 1 / 3, 0.7]) {
      const ladders = [
        { ...member(1, 1, weight), pinned: true },
        member(3, 3, weight),
        member(7, 7, weight),
        member(6, 6, weight),
      ]
      for (let budgetTokens = 5; budgetTokens < 30; budgetTokens += 1) {
        const result = chooseRungs({ ladders, budgetTokens })
        expect(worth({ ladders, budgetTokens }, [...result.chosen]).tokens).toBe(result.tokens)
        expect(result.tokens).toBeLessThanOrEqual(budgetTokens)
      }
    }
  })

  it('a hull that was kept gives the same choice', () => {
    fc.assert(
      fc.property(anyProblem, (problem) => {
        const kept = problem.ladders.map((ladder) => ({ ...ladder, hull: hullOf(ladder.points) }))
        expect(chooseRungs({ ...problem, ladders: kept })).toEqual(chooseRungs(problem))
      }),
    )
  })

  it('A-057: what fits in full is shown in full', () => {
    const ladders = [threeRungs(100), threeRungs(60)]
    expect([...chooseRungs({ ladders, budgetTokens: 160 }).chosen]).toEqual([0, 0])
    expect([...chooseRungs({ ladders, budgetTokens: 159 }).chosen]).toEqual([1, 0])
    expect([...chooseRungs({ ladders, budgetTokens: 80 }).chosen]).toEqual([1, 1])
    expect([...chooseRungs({ ladders, budgetTokens: 33 }).chosen]).toEqual([2, 1])
  })

  it('uses a rung that is on no hull where the next one on it does not fit', () => {
    const points = [
      { tokens: 10, value: 100 },
      { tokens: 4, value: 20 },
    ]
    expect([...chooseRungs({ ladders: [{ weight: 1, points }], budgetTokens: 9 }).chosen]).toEqual([1])
    const grouped = [points, points].map((each) => ({ weight: 1, points: each, group: 'a' }))
    expect([...chooseRungs({ ladders: grouped, budgetTokens: 9 }).chosen]).toEqual([1, 1])
    expect([...chooseRungs({ ladders: grouped, budgetTokens: 7 }).chosen]).toEqual([leftOut, leftOut])
  })
})

describe('hullOf', () => {
  it('keeps the points of falling value per token, cheapest first', () => {
    const points = [
      { tokens: 100, value: 10 },
      { tokens: 60, value: 9 },
      { tokens: 50, value: 4 },
      { tokens: 10, value: 5 },
      { tokens: 20, value: 5 },
    ]
    expect(hullOf(points)).toEqual([3, 1, 0])
  })

  it('lies above every point', () => {
    fc.assert(
      fc.property(fc.array(anyPoint, { minLength: 2, maxLength: 8 }), (points) => {
        const hull = hullOf(points).map((index) => points[index]!)
        const path = [{ tokens: 0, value: 0 }, ...hull]
        const heights = (tokens: number) =>
          path.slice(1).map((b, index) => {
            const a = path[index]!
            if (tokens >= b.tokens) return b.value
            return tokens < a.tokens ? 0 : a.value + ((tokens - a.tokens) / (b.tokens - a.tokens)) * (b.value - a.value)
          })
        for (const { tokens, value } of points) expect(value).toBeLessThanOrEqual(Math.max(...heights(tokens)) + 1e-9)
      }),
    )
  })
})
