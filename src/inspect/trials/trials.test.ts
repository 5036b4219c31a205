import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { binomialShares } from './binomial.ts'
import { holm, mcnemar } from './mcnemar.ts'
import { independentPairs, mcnemarPower, pairsNeeded, smallestLoss } from './power.ts'
import { trialOrder } from './trial-order.ts'
import { trialReport } from './trial-report.ts'
import type { Trial } from './trial.ts'
import { wilsonShare } from './wilson.ts'

function trial(task: string, policy: string, repeat: number, more: Partial<Trial> = {}): Trial {
  const bill = { inputTokens: 100, cacheReadTokens: 10, cacheWriteTokens: 0, outputTokens: 5, usd: 0.1, ownUsd: 0 }
  const counts = { turns: 4, toolCalls: 3, rehydrations: 0, refused: 0, requests: 4 }
  return {
    schema: 'prehend.trial/1',
    task,
    policy,
    repeat,
    end: 'done',
    solved: true,
    bill,
    durationMs: 5,
    ...counts,
    ...more,
  }
}

describe('statistics of runs', () => {
  it('agree with published values', () => {
    // Newcombe (1998), table I: 81 of 263 and 0 of 20.
    expect(wilsonShare(81, 263)).toMatchObject({ low: expect.closeTo(0.2553, 4), high: expect.closeTo(0.3662, 4) })
    expect(wilsonShare(0, 20)).toMatchObject({ low: 0, high: expect.closeTo(0.1611, 4) })
    expect(wilsonShare(0, 0)).toBeUndefined()
    // Binomial: 1 of 7 and 3 of 10 at 0.5, two-sided.
    expect(mcnemar({ onlyBaseline: 1, onlyPolicy: 6 })).toBeCloseTo(0.125, 6)
    expect(mcnemar({ onlyBaseline: 3, onlyPolicy: 7 })).toBeCloseTo(0.34375, 6)
    expect([mcnemar({ onlyBaseline: 0, onlyPolicy: 0 }), mcnemar({ onlyBaseline: 2, onlyPolicy: 2 })]).toEqual([1, 1])
    expect(holm([0.04, 0.01, 0.03])).toEqual([0.06, 0.03, 0.06])
  })

  it('shares of a binomial add up to 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, share) => {
        expect(binomialShares(trials, share).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 6)
      }),
    )
  })

  it('find a difference more often with more pairs, and a false one in at most 5 of 100', () => {
    const loss = independentPairs(0.8, 0.2)
    expect(mcnemarPower(200, loss)).toBeGreaterThan(mcnemarPower(60, loss))
    expect(mcnemarPower(100, independentPairs(0.5, 0))).toBeLessThanOrEqual(0.05)
    const pairs = pairsNeeded(loss) ?? 0
    expect(mcnemarPower(pairs, loss)).toBeGreaterThanOrEqual(0.8)
    expect(mcnemarPower(pairs - 8, loss)).toBeLessThan(0.8)
    expect(smallestLoss(pairs, 0.8)).toBeLessThanOrEqual(20)
    expect(smallestLoss(3, 0.8)).toBeUndefined()
    expect(pairsNeeded(independentPairs(0.5, 0.001))).toBeUndefined()
  })
})

describe('the order of runs', () => {
  const plan = { tasks: ['a', 'b', 'c'], policies: ['off', 'careful'], repeats: 2, seed: 7 }

  it('holds all runs once, in blocks of one task and repeat', () => {
    const order = trialOrder(plan)
    expect(new Set(order.map((one) => JSON.stringify(one))).size).toBe(12)
    for (let at = 0; at < order.length; at += 2) {
      const [one, other] = [order[at], order[at + 1]]
      expect([one?.task, one?.repeat]).toEqual([other?.task, other?.repeat])
      expect(one?.policy).not.toBe(other?.policy)
    }
  })

  it('is the same for a seed, and another for another', () => {
    expect(trialOrder(plan)).toEqual(trialOrder(plan))
    expect(trialOrder({ ...plan, seed: 8 })).not.toEqual(trialOrder(plan))
  })
})

describe('the report of runs', () => {
  const pairs = (count: number, solved: (at: number) => readonly [boolean, boolean]): readonly Trial[] =>
    Array.from({ length: count }, (_, at) => {
      const [off, careful] = solved(at)
      const place = [`task-${at % 5}`, Math.floor(at / 5) + 1] as const
      return [
        trial(place[0], 'off', place[1], { solved: off }),
        trial(place[0], 'careful', place[1], { solved: careful }),
      ]
    }).flat()

  it('calls a policy worse where the runs can tell', () => {
    const report = trialReport(
      pairs(20, (at) => [true, at % 2 === 0]),
      ['off', 'careful'],
      'off',
    )
    expect(report.policies[1]?.comparison).toMatchObject({
      pairs: 20,
      onlyBaseline: 10,
      onlyPolicy: 0,
      verdict: 'worse',
    })
    expect(report.policies[1]?.comparison?.difference.mean).toBeCloseTo(-0.5)
    expect(report.policies[0]?.comparison).toBeUndefined()
  })

  it('says what few runs would have shown', () => {
    const report = trialReport(
      pairs(10, (at) => [at !== 3, at !== 4]),
      ['off', 'careful'],
      'off',
    )
    const { verdict, p, seenPoints = 0, pairsForTenPoints = 0 } = report.policies[1]!.comparison!
    expect([verdict, p]).toEqual(['unclear', 1])
    expect(seenPoints).toBeGreaterThan(40)
    expect(pairsForTenPoints).toBeGreaterThan(100)
  })

  it('counts no run without a result, but what it cost', () => {
    const report = trialReport(
      [trial('a', 'off', 1), trial('a', 'careful', 1, { end: 'error', solved: false })],
      ['off', 'careful'],
      'off',
    )
    expect(report.policies[1]).toMatchObject({ runs: 0, withoutResult: 1, solved: undefined })
    expect(report.policies[1]?.comparison).toBeUndefined()
    expect(report.spentUsd).toBeCloseTo(0.2)
  })

  it('has no dollars where one run has none', () => {
    const { usd: _, ...bill } = trial('a', 'off', 1).bill
    const report = trialReport([trial('a', 'off', 1, { bill })], ['off'], 'off')
    expect(report.spentUsd).toBeUndefined()
    expect(report.policies[0]).toMatchObject({ usd: undefined, usdPerSolved: undefined })
  })
})
