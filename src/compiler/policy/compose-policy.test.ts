import { describe, expect, it } from 'vitest'
import type { Policy, Situation } from '../../core/index.ts'
import { careful } from './policies.ts'
import { composePolicy } from './compose-policy.ts'
import { governor, governorSections } from './governor.ts'

/** In the order of the categories. */
const categories = [
  'Invariants',
  'Strategy',
  'Playbook',
  'Episodes',
  'Insights',
  'CausalEdges',
  'Contrarian',
  'DreamHypotheses',
  'ToolState',
  'DefiSnapshot',
  'Mortality',
  'Affect',
  'OwnerControl',
] as const

const inForce = (situation: Situation, policy: Policy = governor) => {
  const { fractions = {} } = composePolicy(policy, situation).policy
  return categories.map((category) => fractions[governorSections.unify(category).section] ?? Number.NaN)
}

const rounded = (values: readonly number[]): readonly number[] => values.map((value) => Number(value.toFixed(4)))

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** The tables of the requirement, to four digits. */
const golden = {
  base: [0.1515, 0.101, 0.1515, 0.1212, 0.101, 0.0808, 0.0404, 0.0303, 0.0303, 0.0808, 0.0404, 0.0303, 0.0404],
  Volatile: [0.1579, 0.1053, 0.1579, 0.0842, 0.1053, 0.0842, 0.0211, 0.0316, 0.0316, 0.1053, 0.0421, 0.0316, 0.0421],
  BearHighVol: [0.1562, 0.1042, 0.1562, 0.125, 0.1042, 0.0833, 0.0104, 0.0104, 0.0312, 0.0833, 0.0625, 0.0312, 0.0417],
  Conservation: [0.1685, 0.1124, 0.1685, 0.0674, 0.1124, 0.0899, 0.0112, 0, 0.0337, 0.0899, 0.0674, 0.0337, 0.0449],
  Declining: [0.2381, 0.119, 0.1786, 0.0476, 0.0476, 0.0952, 0, 0, 0.0357, 0.0952, 0.0952, 0, 0.0476],
}

/** As the tables have them: to half a unit of their last digit. */
const like = (wanted: readonly number[]): readonly number[] =>
  wanted.map((value) => expect.closeTo(value, 3.9) as unknown as number)

describe('a policy in force', () => {
  it('V-016: thirteen fractions of 0.99 together are brought to 1, each of them by as much', () => {
    const raw = Object.values(governor.fractions!)
    expect(sumOf(raw)).toBeCloseTo(0.99, 12)
    expect(inForce({})).toEqual(categories.map((_, index) => expect.closeTo(raw[index]! / 0.99, 12) as unknown))
    expect(inForce({})).toEqual(like(golden.base))
    expect(governor.softTokens).toBe(8000)
  })

  it.each(['Volatile', 'BearHighVol'] as const)('V-017: regime %s', (regime) => {
    expect(inForce({ regime })).toEqual(like(golden[regime]))
  })

  it.each(['Conservation', 'Declining'] as const)('V-018, V-030: phase %s, whose zeros stay', (lifecyclePhase) => {
    const values = inForce({ lifecyclePhase })
    expect(values).toEqual(like(golden[lifecyclePhase]))
    expect(values[7]).toBe(0)
    expect(sumOf(values)).toBeCloseTo(1, 12)
  })

  it('V-031, B-13: in phase Terminal invariants and mortality share everything, in every regime', () => {
    for (const regime of [undefined, 'Volatile', 'BearHighVol']) {
      const values = inForce({ lifecyclePhase: 'Terminal', ...(regime && { regime }) })
      expect(rounded(values)).toEqual([0.75, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25, 0, 0])
    }
  })

  it('V-031: a thriving agent may spend on what is contrary or imagined, a declining one may not', () => {
    const [, , , , , , contrary, imagined] = inForce({ lifecyclePhase: 'Thriving' })
    expect([contrary! > 0, imagined! > 0]).toEqual([true, true])
    expect(inForce({ lifecyclePhase: 'Declining' }).slice(6, 8)).toEqual([0, 0])
  })

  it('X-12: in two overrides the larger wins for what is safety, and the zero of a phase absorbs', () => {
    const both = { lifecyclePhase: 'Declining', regime: 'BearHighVol' }
    const values = inForce(both)
    // 0.06 of the regime is less than the 0.08 of the phase; contrary and imagined content stay at zero.
    expect(rounded(values).slice(6, 8)).toEqual([0, 0])
    expect(values[10]).toBeCloseTo(0.08 / 0.84, 12)
    expect(sumOf(values)).toBeCloseTo(1, 12)
  })

  it('V-032: without either, the later one wins: the tables of the requirement', () => {
    const plain = { ...governor, overrides: { ...governor.overrides, safety: [], zeroIsAbsorbing: false } }
    const declining = inForce({ lifecyclePhase: 'Declining', regime: 'BearHighVol' }, plain)
    expect(declining).toEqual(
      like([0.2381, 0.119, 0.1786, 0.0476, 0.0476, 0.0952, 0.0119, 0.0119, 0.0357, 0.0952, 0.0714, 0, 0.0476]),
    )
    const conserving = inForce({ lifecyclePhase: 'Conservation', regime: 'BearHighVol' }, plain)
    expect(conserving).toEqual(
      like([0.1667, 0.1111, 0.1667, 0.0667, 0.1111, 0.0889, 0.0111, 0.0111, 0.0333, 0.0889, 0.0667, 0.0333, 0.0444]),
    )
  })
})

describe('the order of overrides', () => {
  const levels = ['tenant', 'taskClass', 'agentPhase', 'lifecyclePhase', 'regime'] as const
  const names = { tenant: 'acme', taskClass: 'review', agentPhase: 'planning', lifecyclePhase: 'old', regime: 'calm' }
  const base: Policy = { ...careful, fractions: { evidence: 0.5, memory: 0.3, history: 0.2 } }
  const figures = { tenant: 0.31, taskClass: 0.32, agentPhase: 0.33, lifecyclePhase: 0.34, regime: 0.35 }
  const pairs = levels.flatMap((first, index) => levels.slice(index + 1).map((second) => [first, second] as const))

  it.each(pairs)('X-12, V-032: %s and then %s, which wins, whichever is written first', (first, second) => {
    const changes = (level: (typeof levels)[number]) => ({
      [names[level]]: {
        fractions: { memory: figures[level] },
        epochs: { keepFull: Math.round(figures[level] * 100) },
        shares: [{ section: 'tools', max: figures[level] }],
      },
    })
    const overrides = { [second]: changes(second), [first]: changes(first) }
    const { policy, overrides: held, origins } = composePolicy({ ...base, overrides }, names)
    expect(policy.fractions!['memory']).toBeCloseTo(figures[second] / (0.7 + figures[second]), 12)
    expect(policy.epochs.keepFull).toBe(Math.round(figures[second] * 100))
    expect(policy.shares.find(({ section }) => section === 'tools')).toMatchObject({ max: figures[second] })
    expect(held).toEqual([`${first} ${names[first]}`, `${second} ${names[second]}`])
    for (const path of ['fractions.memory', 'epochs.keepFull', 'shares.tools.max'])
      expect(origins.get(path)).toBe(`${second} ${names[second]}`)
  })

  it('X-35: an override that is absent or null means the default, and zero removes', () => {
    const overrides = { taskClass: { review: { fractions: { memory: null, history: 0 } } } }
    const { fractions } = composePolicy({ ...base, overrides }, { taskClass: 'review' }).policy
    expect(fractions).toEqual({ evidence: 0.5 / 0.8, memory: expect.closeTo(0.3 / 0.8, 12) as number, history: 0 })
  })

  it('V-030: an override that would leave nothing changes nothing', () => {
    const overrides = { lifecyclePhase: { void: { fractions: { evidence: 0, memory: 0, history: 0 } } } }
    expect(composePolicy({ ...base, overrides }, { lifecyclePhase: 'void' }).policy.fractions).toEqual(base.fractions)
  })

  it('V-015: each of the eight classes of task selects its own override', () => {
    const classes = [
      'Swap',
      'LpRebalance',
      'RiskCheck',
      'VaultDeposit',
      'VaultWithdraw',
      'StrategyReview',
      'Dream',
      'Sim',
    ]
    const share = (at: number): number => (at + 1) / 20
    const taskClass = Object.fromEntries(classes.map((name, at) => [name, { reserveShare: share(at) }]))
    for (const [at, name] of classes.entries())
      expect(composePolicy({ ...base, overrides: { taskClass } }, { taskClass: name }).policy.reserveShare).toBe(
        share(at),
      )
  })

  it('B-38, V-015: classes of task, phases and regimes are names that anybody may give; unknown ones change nothing', () => {
    const overrides = {
      taskClass: { Swap: { floors: { relevance: 0.4 } } },
      regime: { 'très agité': { costSensitivity: 2 } },
      lifecyclePhase: { 宵: { reserveShare: 0.3 } },
    }
    const own = { ...base, overrides }
    const { policy } = composePolicy(own, { taskClass: 'Swap', regime: 'très agité', lifecyclePhase: '宵' })
    expect([policy.floors.relevance, policy.costSensitivity, policy.reserveShare]).toEqual([0.4, 2, 0.3])
    const strange = composePolicy(own, { taskClass: 'constructor', regime: '__proto__', lifecyclePhase: 'other' })
    expect(strange.overrides).toEqual([])
    expect(strange.policy.floors).toEqual(careful.floors)
  })

  it('C-018: a tenant has phases of its own, which come after those of all', () => {
    const overrides = {
      agentPhase: { executing: { fractions: { evidence: 0.1 } } },
      tenant: { acme: { agentPhase: { executing: { fractions: { evidence: 0.8 } } } } },
    }
    const own = { ...base, overrides }
    const of = (tenant: string) => composePolicy(own, { tenant, agentPhase: 'executing' })
    expect(of('acme').policy.fractions!['evidence']).toBeCloseTo(0.8 / 1.3, 12)
    expect(of('other').policy.fractions!['evidence']).toBeCloseTo(0.1 / 0.6, 12)
    expect(of('acme').overrides).toEqual(['tenant acme', 'agentPhase executing', 'tenant acme, agentPhase executing'])
  })

  it('is the same value for the same policy in the same situation, frozen, and leaves a policy of a caller as it is', () => {
    expect(composePolicy(governor, { regime: 'Volatile' })).toBe(composePolicy(governor, { regime: 'Volatile' }))
    expect(Object.isFrozen(composePolicy(governor, { regime: 'Volatile' }).policy)).toBe(true)
    const own = structuredClone(governor)
    composePolicy(own, { regime: 'Volatile' })
    expect(Object.isFrozen(own.epochs)).toBe(false)
    expect(own).toEqual(governor)
  })
})

describe('affect', () => {
  const at = (pleasure: number, arousal: number, dominance: number) => ({ affect: { pleasure, arousal, dominance } })
  const base = inForce({})
  const raw = (values: readonly number[]): readonly number[] => values.map((value) => value * 0.99)

  it.each([
    ['displeased and aroused', at(-0.31, 0.31, 0), { 6: 0.02, 3: -0.01, 2: -0.01 }],
    ['dominated', at(0, 0, -0.21), { 2: 0.02, 7: -0.01, 6: -0.01 }],
    ['content and calm', at(0.51, -0.21, 0), { 6: 0.015, 11: -0.015 }],
    ['just not displeased', at(-0.3, 0.31, 0), {}],
    ['just not aroused', at(-0.31, 0.3, 0), {}],
    ['just not dominated', at(0, 0, -0.2), {}],
    ['just not content', at(0.5, -0.21, 0), {}],
    ['just not calm', at(0.51, -0.2, 0), {}],
  ])('V-038: %s', (_, situation, shifts: Readonly<Record<number, number>>) => {
    const values = raw(inForce(situation))
    for (const [index, value] of values.entries())
      expect(value - base[index]! * 0.99).toBeCloseTo(shifts[index] ?? 0, 12)
    expect(sumOf(Object.values(shifts))).toBeCloseTo(0, 12)
  })

  it('V-039, B-14: afterwards everything has 0.01 at least, but what was set to zero', () => {
    const dominated = inForce({ ...at(0, 0, -0.5), regime: 'BearHighVol' })
    const total = 0.96 + 0.02 - 0.01 - 0.01 + 0.02
    // Both had 0.01, which the shift would have taken.
    expect(dominated[6]).toBeCloseTo(0.01 / total, 12)
    expect(dominated[7]).toBeCloseTo(0.01 / total, 12)
    const declining = inForce({ ...at(-0.5, 0.5, -0.5), lifecyclePhase: 'Declining' })
    expect([declining[6], declining[7], declining[11]]).toEqual([0, 0, 0])
    expect(sumOf(declining)).toBeCloseTo(1, 12)
  })

  it('X-29: the floor for contrary content holds where the affect allows it and its share is above zero', () => {
    const floorOf = (situation: Situation, policy = governor) =>
      composePolicy(policy, situation).policy.sections?.find(({ section }) => section === 'Contrarian')?.min
    expect(floorOf(at(-0.01, 0, 0))).toBe(200)
    expect(floorOf(at(0, 0, 0))).toBeUndefined()
    expect(floorOf({})).toBeUndefined()
    expect(floorOf({ ...at(-0.5, 0, 0), lifecyclePhase: 'Declining' })).toBeUndefined()
    expect(floorOf({ ...at(-0.5, 0, 0), turnPhase: 'execute' })).toBeUndefined()
    const off = { ...governor, overrides: { ...governor.overrides, affect: governor.overrides!.affect!.slice(0, 3) } }
    expect(floorOf(at(-0.5, 0, 0), off)).toBeUndefined()
  })
})

describe('turns', () => {
  const used = { analyze: 0.9172, decide: 0.9879, execute: 0.4687, reflect: 0.7273 }
  const base = inForce({})

  it('V-063: every factor is the one of the table', () => {
    // Analyze, decide, execute, reflect.
    const table = {
      Invariants: [1, 1, 1, 0.5],
      Strategy: [0.8, 1, 0.5, 0.5],
      Playbook: [1.5, 0.8, 0.3, 0.8],
      Episodes: [0.8, 1.4, 0.3, 1],
      Insights: [0.8, 1.2, 0.3, 1],
      CausalEdges: [0.6, 1.3, 0.2, 1],
      Contrarian: [0.4, 0.8, 0, 1.2],
      DreamHypotheses: [0.3, 0.5, 0, 0.8],
      ToolState: [0.8, 0.5, 1.5, 0.3],
      DefiSnapshot: [1.3, 0.8, 0.5, 0.3],
      Mortality: [0.6, 0.8, 0.3, 0.5],
      Affect: [0.4, 0.6, 0, 1],
      OwnerControl: [1, 1, 1, 0.5],
    }
    const phases = ['analyze', 'decide', 'execute', 'reflect'] as const
    const factors = (Object.keys(table) as (keyof typeof table)[]).map((category) => {
      const { section } = governorSections.unify(category)
      return [category, phases.map((phase) => governor.overrides!.turnPhase![phase]![section])]
    })
    expect(Object.fromEntries(factors)).toEqual(table)
  })

  it.each(Object.entries(used))('V-063: %s has a factor for each category', (turnPhase, share) => {
    const factors = governor.overrides!.turnPhase![turnPhase]!
    const scaled = categories.map(
      (category, index) => base[index]! * factors[governorSections.unify(category).section]!,
    )
    expect(Object.keys(factors)).toHaveLength(13)
    expect(sumOf(scaled)).toBeCloseTo(share, 4)
  })

  it.each(Object.keys(used))(
    'B-33: %s scales soft categories only, in proportion, and what is left is given back',
    (turnPhase) => {
      const factors = governor.overrides!.turnPhase![turnPhase]!
      const values = inForce({ turnPhase })
      expect([values[0], values[12]]).toEqual([base[0], base[12]])
      expect(sumOf(values)).toBeCloseTo(1, 12)
      const ratios = categories
        .map((category, index) => values[index]! / (base[index]! * factors[governorSections.unify(category).section]!))
        .filter((ratio, index) => index > 0 && index < 12 && !Number.isNaN(ratio))
      for (const ratio of ratios) expect(ratio).toBeCloseTo(ratios[0]!, 12)
    },
  )
})
