import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Allocation, AllocationProblem, SectionDemand } from './allocate.ts'
import { allocate } from './allocate.ts'
import { gainOfNextToken, utilityOf } from './utility.ts'

const section = (name: string, fields: Partial<SectionDemand> = {}): SectionDemand => ({
  section: name,
  tier: 2,
  min: 0,
  max: 1000,
  weight: 1,
  alpha: 1,
  beta: 10,
  base: 1,
  cost: 1,
  demand: 1000,
  ...fields,
})

const anySection = (largest: number) =>
  fc.record({
    min: fc.integer({ min: 0, max: Math.floor(largest / 3) }),
    extra: fc.integer({ min: 0, max: largest }),
    demand: fc.integer({ min: 0, max: largest }),
    weight: fc.double({ min: 0, max: 1, noNaN: true }),
    alpha: fc.double({ min: 0.01, max: 5, noNaN: true }),
    beta: fc.double({ min: 0.01, max: 200, noNaN: true }),
    base: fc.constantFrom(0, 0.1, 1),
    cost: fc.oneof(fc.constantFrom(0, 1, 2), fc.double({ min: 0, max: 2, noNaN: true })),
    tier: fc.constantFrom(2 as const, 3 as const, 4 as const),
  })

const anyProblem = (largest: number, count: number) =>
  fc
    .record({
      sections: fc.array(anySection(largest), { minLength: 1, maxLength: count }),
      elasticTokens: fc.integer({ min: 0, max: largest * 2 }),
      costSensitivity: fc.constantFrom(0, 0, 0.001, 0.05, 1),
    })
    .map(({ sections, ...rest }): AllocationProblem => ({
      ...rest,
      sections: sections.map(({ extra, ...fields }, index) =>
        section(`s${index}`, { ...fields, max: fields.min + extra }),
      ),
    }))

const limits = (budget: SectionDemand) => {
  const max = Math.min(budget.max, budget.demand)
  return { min: Math.min(budget.min, max), max }
}

const curveOf = (budget: SectionDemand) => ({ ...budget, min: limits(budget).min })

function totalUtility(problem: AllocationProblem, tokens: readonly number[], included: readonly boolean[]): number {
  return problem.sections.reduce(
    (sum, budget, index) =>
      included[index] ? sum + utilityOf(curveOf(budget), tokens[index] ?? 0, problem.costSensitivity) : sum,
    0,
  )
}

/** Whether a section takes part: a minimum is not up for choice, save where nothing of the section is worth anything. */
const isWorthAnything = (budget: SectionDemand) => utilityOf(curveOf(budget), limits(budget).max, 0) > 0

/** Every split in whole tokens. */
function bruteForce(problem: AllocationProblem, included: readonly boolean[]): number {
  const walk = (index: number, left: number, tokens: readonly number[]): number => {
    const budget = problem.sections[index]
    if (budget === undefined) return totalUtility(problem, tokens, included)
    if (!included[index]) return walk(index + 1, left, [...tokens, 0])
    const { min, max } = limits(budget)
    let best = -Infinity
    for (let t = min; t <= Math.min(max, left); t += 1) best = Math.max(best, walk(index + 1, left - t, [...tokens, t]))
    return best
  }
  return walk(0, problem.elasticTokens, [])
}

const byName = (result: Allocation) => new Map(result.allocations.map(({ section: name, tokens }) => [name, tokens]))

const tokensAt = ({ allocations }: Allocation, index: number) => allocations[index]?.tokens ?? 0

/** Few enough that neighbours are close, and equal ones occur. */
const anyPrices = fc.array(
  fc.oneof(fc.constantFrom(0, 0.0001, 0.001, 0.01), fc.double({ min: 0, max: 0.2, noNaN: true })),
  { minLength: 2, maxLength: 6 },
)

const tokensOf = (problem: AllocationProblem) => allocate(problem).allocations.map(({ tokens }) => tokens)

describe('allocate', () => {
  it('P-005, N-30: no split in whole tokens has a higher utility', () => {
    fc.assert(
      fc.property(anyProblem(14, 3), (problem) => {
        const result = allocate(problem)
        if (!result.fits) return
        const included = problem.sections.map(isWorthAnything)
        const ours = totalUtility(
          problem,
          result.allocations.map(({ tokens }) => tokens),
          included,
        )
        expect(ours).toBeGreaterThanOrEqual(bruteForce(problem, included) - 1e-12)
      }),
      { numRuns: 400 },
    )
  })

  it('P-038, N-30, B-46: tokens are conserved exactly, and leftover only where nobody wants more', () => {
    fc.assert(
      fc.property(anyProblem(100_000, 12), (problem) => {
        const result = allocate(problem)
        const sum = result.allocations.reduce((total, { tokens }) => total + tokens, 0)
        expect(sum + result.leftover).toBe(problem.elasticTokens)
        if (!result.fits || result.leftover === 0) return
        const couldGrow = result.allocations
          .map(({ tokens, bound }, index) => ({ tokens, bound, curve: curveOf(problem.sections[index]!) }))
          .filter(({ bound }) => bound === 'none' || bound === 'min')
        for (const { curve, tokens } of couldGrow)
          expect(gainOfNextToken(curve, tokens, problem.costSensitivity)).toBeLessThanOrEqual(0)
      }),
    )
  })

  it('P-034: minimum, maximum and demand hold', () => {
    fc.assert(
      fc.property(anyProblem(100_000, 12), (problem) => {
        const result = allocate(problem)
        for (const [index, { tokens, bound }] of result.allocations.entries()) {
          const { min, max } = limits(problem.sections[index]!)
          expect(Number.isInteger(tokens)).toBe(true)
          const least = bound === 'excluded' || !result.fits ? 0 : min
          expect(tokens).toBeLessThanOrEqual(bound === 'excluded' ? 0 : max)
          expect(tokens).toBeGreaterThanOrEqual(least)
        }
      }),
    )
  })

  it('more budget never keeps less of any section', () => {
    fc.assert(
      fc.property(anyProblem(2_000, 8), fc.integer({ min: 0, max: 500 }), (problem, more) => {
        const before = tokensOf(problem)
        const after = tokensOf({ ...problem, elasticTokens: problem.elasticTokens + more })
        for (const [index, tokens] of before.entries()) expect(after[index]).toBeGreaterThanOrEqual(tokens)
      }),
      { numRuns: 500 },
    )
  })

  it('P-008: the shadow price never rises with the budget', () => {
    fc.assert(
      fc.property(anyProblem(50_000, 8), fc.integer({ min: 1, max: 5_000 }), (problem, more) => {
        const before = allocate(problem)
        const after = allocate({ ...problem, elasticTokens: problem.elasticTokens + more })
        if (!before.fits) return
        expect(after.shadowPrice).toBeLessThanOrEqual((before.shadowPrice ?? 0) * (1 + 1e-12))
      }),
    )
  })

  it('P-007, B-44: interior sections share the price; others stand at the bound their margin points to', () => {
    fc.assert(
      fc.property(anyProblem(100_000, 8), (problem) => {
        const { allocations, shadowPrice, fits } = allocate(problem)
        if (!fits || shadowPrice === undefined) return
        for (const [index, { tokens, bound }] of allocations.entries()) {
          if (bound === 'excluded') continue
          const curve = curveOf(problem.sections[index]!)
          const margin = (t: number) =>
            (curve.weight * curve.alpha) / (curve.beta + t - curve.min) - problem.costSensitivity * curve.cost
          // Whole tokens stand at most one token per section away from the real optimum.
          const slack = allocations.length
          const above = bound === 'max' ? 0 : margin(tokens + slack)
          const below = bound === 'min' || tokens - slack < curve.min ? Infinity : margin(tokens - slack)
          expect(above).toBeLessThanOrEqual(shadowPrice + 1e-9)
          expect(below).toBeGreaterThanOrEqual(shadowPrice - 1e-9)
        }
      }),
    )
  })

  it('P-009: a higher cost sensitivity never gives the dearest section more, minimums or not', () => {
    fc.assert(
      fc.property(anyProblem(2_000, 8), anyPrices, (problem, prices) => {
        const dearest = Math.max(...problem.sections.map(({ cost }) => cost))
        let before: Allocation | undefined
        for (const costSensitivity of prices.toSorted((a, b) => a - b)) {
          const now = allocate({ ...problem, costSensitivity })
          expect(now.leftover).toBeGreaterThanOrEqual(before?.leftover ?? 0)
          for (const [index, { cost }] of problem.sections.entries())
            if (cost === dearest) expect(tokensAt(now, index)).toBeLessThanOrEqual(tokensAt(before ?? now, index))
          before = now
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('P-009: a section that a price makes not worth its minimum keeps it, and frees nothing for a dearer one', () => {
    const sections = [section('dear', { cost: 2 }), section('cheap', { min: 600, max: 600, weight: 0.5 })]
    const at = (costSensitivity: number) => tokensOf({ sections, elasticTokens: 900, costSensitivity })
    expect([0, 0.0005, 0.001, 0.002, 0.1].map(at)).toEqual([
      [300, 600],
      [300, 600],
      [300, 600],
      [240, 600],
      [0, 600],
    ])
  })

  it('P-009: without a price, costs change nothing', () => {
    fc.assert(
      fc.property(anyProblem(2_000, 8), (problem) => {
        const free = problem.sections.map((each) => ({ ...each, cost: 0 }))
        const priced = { ...problem, costSensitivity: 0 }
        expect(allocate(priced)).toEqual(allocate({ ...priced, sections: free }))
      }),
    )
  })

  it('never grants what is not wanted at the price, and wants all it can use where tokens are free', () => {
    fc.assert(
      fc.property(anyProblem(2_000, 8), (problem) => {
        for (const [index, { tokens, wanted }] of allocate(problem).allocations.entries()) {
          const { min, max } = limits(problem.sections[index]!)
          expect(tokens).toBeLessThanOrEqual(Math.max(min, wanted))
          if (problem.costSensitivity === 0) expect(wanted).toBe(Math.floor(max))
        }
      }),
    )
  })

  it('P-009: tokens that cost more than they are worth are left over', () => {
    const result = allocate({
      sections: [section('a', { weight: 1, beta: 10 })],
      elasticTokens: 500,
      costSensitivity: 0.02,
    })
    // 1 / (10 + t) = 0.02 at t = 40
    expect(result).toMatchObject({ leftover: 460, shadowPrice: 0, allocations: [{ tokens: 40, bound: 'none' }] })
  })

  it('B-45: base utility makes a minimum worth having, at any price', () => {
    const exactly = { min: 100, max: 100, demand: 100 }
    const problem = (fields: Partial<SectionDemand>, costSensitivity = 0) => ({
      sections: [section('a', { ...exactly, ...fields })],
      elasticTokens: 100,
      costSensitivity,
    })
    expect(tokensOf(problem({ base: 1 }))).toEqual([100])
    expect(tokensOf(problem({ base: 0 }))).toEqual([0])
    expect(tokensOf(problem({ base: 1 }, 0.02))).toEqual([100])
  })

  it('B-46: a section that is cut short by its demand leaves the rest to the others', () => {
    const sections = [section('short', { demand: 100, weight: 1 }), section('long', { weight: 0.1 })]
    expect(tokensOf({ sections, elasticTokens: 700, costSensitivity: 0 })).toEqual([100, 600])
  })

  it('A-048: with a vanishing beta the surplus is shared in proportion to the weights', () => {
    const sections = [
      section('evidence', { weight: 0.6, beta: 1e-9, min: 50, max: 1e6, demand: 1e6 }),
      section('memory', { weight: 0.25, beta: 1e-9, max: 1e6, demand: 1e6 }),
      section('history', { weight: 0.15, beta: 1e-9, max: 1e6, demand: 1e6 }),
    ]
    expect(tokensOf({ sections, elasticTokens: 10_050, costSensitivity: 0 })).toEqual([6050, 2500, 1500])
  })

  it('P-038: minimums that do not fit are granted in order of priority and say so', () => {
    const sections = [
      section('history', { tier: 4, min: 30 }),
      section('evidence', { tier: 2, min: 50 }),
      section('memory', { tier: 3, min: 40 }),
    ]
    const result = allocate({ sections, elasticTokens: 100, costSensitivity: 0 })
    expect(result).toMatchObject({ fits: false, neededTokens: 120, leftover: 10 })
    expect(result.allocations.map(({ tokens }) => tokens)).toEqual([0, 50, 40])
    expect(result.shadowPrice).toBeUndefined()
  })

  it('the order of the sections does not matter', () => {
    fc.assert(
      fc.property(anyProblem(5_000, 8), (problem) => {
        const reversed = allocate({ ...problem, sections: problem.sections.toReversed() })
        const straight = byName(allocate(problem))
        for (const [name, tokens] of byName(reversed)) expect(straight.get(name)).toBe(tokens)
      }),
    )
  })
})
