import { describe, expect, it } from 'vitest'
import type { Policy, PolicyOverrides } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { validatePolicy } from './sound-policy.ts'
import { careful } from './policies.ts'
import { governor } from './governor.ts'

const base: Policy = { ...careful, fractions: { evidence: 0.5, memory: 0.3, history: 0.2 } }

const refused = (changes: Partial<Policy>): string => {
  try {
    validatePolicy({ ...base, ...changes })
  } catch (error) {
    if (isPrehendError(error) && error.code === 'invalid-input') return error.message
    throw error
  }
  return 'nothing thrown'
}

const some = { min: 0.1, max: 0.2, weight: 0.1 }

describe('sections of a policy', () => {
  it.each<[string, Partial<Policy>]>([
    [
      'policy.shares[0].section: there is no section evidnce. Did you mean evidence?',
      { shares: [{ section: 'evidnce', ...some }] },
    ],
    [
      'policy.sections[0].section: there is no section tool. Did you mean tools?',
      { sections: [{ section: 'tool', max: 9 }] },
    ],
    [
      'policy.shares[1].section: memory stands at policy.shares[0], too',
      {
        shares: [
          { section: 'memory', ...some },
          { section: 'memory', ...some },
        ],
      },
    ],
    [
      'policy.sections[1].section: memory stands at policy.sections[0], too',
      {
        sections: [
          { section: 'memory', max: 9 },
          { section: 'memory', max: 8 },
        ],
      },
    ],
    [
      'policy.sections: promise 90 tokens of 80',
      {
        contextTokens: 80,
        sections: [
          { section: 'memory', min: 50 },
          { section: 'evidence', min: 40 },
        ],
      },
    ],
  ])('%s', (message, changes) => {
    expect(refused(changes)).toContain(message)
  })

  it('may be of their own, where they are not called almost as one that there is', () => {
    for (const section of ['house style', 'Insights', 'rules', 'facts', 'plan'])
      expect([section, refused({ shares: [{ section, ...some }] })]).toEqual([section, 'nothing thrown'])
  })
})

const overridden = (overrides: PolicyOverrides): string => refused({ overrides })

describe('what is wrong with a policy is told by its place', () => {
  it('lets what can be past', () => {
    expect(refused({})).toBe('nothing thrown')
    expect(() => validatePolicy(governor)).not.toThrow()
    expect(overridden({ taskClass: { review: { fractions: { memory: 0, tools: 0.1 } } } })).toBe('nothing thrown')
  })

  it.each<[string, string, PolicyOverrides]>([
    [
      'a section that is misspelt',
      'fractions.evidnce: there is no section evidnce. Did you mean evidence?',
      { regime: { r: { fractions: { evidnce: 0.1 } } } },
    ],
    [
      'one in shares',
      'shares[0].section: there is no section memroy. Did you mean memory?',
      { regime: { r: { shares: [{ section: 'memroy', max: 0.1 }] } } },
    ],
    [
      'one that stands twice',
      'regime.r.shares[1].section: memory stands at policy.overrides.regime.r.shares[0], too',
      {
        regime: {
          r: {
            shares: [
              { section: 'memory', max: 0.1 },
              { section: 'memory', max: 0.2 },
            ],
          },
        },
      },
    ],
    [
      'one in a factor',
      'turnPhase.decide.histroy: there is no section histroy. Did you mean history?',
      { turnPhase: { decide: { histroy: 2 } } },
    ],
    [
      'one in a shift',
      'affect[0].shift.Contrarian: there is no section',
      { affect: [{ when: {}, shift: { Contrarian: 0.1, memory: -0.1 } }] },
    ],
    [
      'negative zero',
      'policy.overrides.regime.r.fractions.memory: is negative zero',
      { regime: { r: { fractions: { memory: -0 } } } },
    ],
    [
      'no number',
      'policy.overrides.regime.r.fractions.memory: is not a number from 0 to 1',
      { regime: { r: { fractions: { memory: Number.NaN } } } },
    ],
    [
      'too much',
      'policy.overrides.regime.r.fractions.memory: is not a number from 0 to 1',
      { regime: { r: { fractions: { memory: 1.1 } } } },
    ],
    [
      'everything for nothing',
      'regime.r.exclusive: gives everything to nothing',
      { regime: { r: { exclusive: true } } },
    ],
    [
      'safety taken away',
      'regime.r.fractions.policy: takes away a section that is there for safety',
      { regime: { r: { fractions: { policy: 0 } } } },
    ],
    [
      'safety taken away as a share',
      'regime.r.shares[0].max: takes away role',
      { regime: { r: { shares: [{ section: 'role', max: 0 }] } } },
    ],
    [
      'a minimum above its maximum',
      'regime.r.shares[0].min: exceeds max 0.1',
      { regime: { r: { shares: [{ section: 'tools', min: 0.2, max: 0.1 }] } } },
    ],
    [
      'more than there is',
      'regime.r.shares: promise 105% of the window',
      { regime: { r: { shares: [{ section: 'evidence', min: 0.95 }] } } },
    ],
    [
      'a pressure that falls',
      'regime.r.pressure: does not rise: 0.8, 0.7, 0.95',
      { regime: { r: { pressure: { compress: 0.7 } } } },
    ],
    [
      'shifts that do not cancel out',
      'affect[0].shift: does not cancel out',
      { affect: [{ when: {}, shift: { memory: 0.1 } }] },
    ],
    ['a floor that is too high', 'affectFloor: promises 3 sections more than there is', { affectFloor: 0.4 }],
    [
      'a feeling out of range',
      'affect[0].when.pleasure.below: is not a number from -1 to 1',
      { affect: [{ when: { pleasure: { below: -3 } } }] },
    ],
  ])('%s', (_, message, overrides) => {
    expect(overridden(overrides)).toContain(message)
  })

  it('overrides that leave nothing where both hold contradict each other', () => {
    const exclusive = (section: string) => ({ x: { exclusive: true, fractions: { [section]: 1 } } })
    expect(overridden({ lifecyclePhase: exclusive('memory'), regime: exclusive('evidence') })).toContain(
      'policy.overrides.regime.x.exclusive: contradicts overrides.lifecyclePhase.x',
    )
    expect(overridden({ lifecyclePhase: exclusive('memory'), regime: exclusive('memory') })).toBe('nothing thrown')
  })

  it('takes no longer for a policy that somebody made to be slow', () => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`r${at}`, { exclusive: true, fractions: { memory: 1 } }]),
      )
    expect(overridden({ regime: many(200) })).toBe('nothing thrown')
    const started = performance.now()
    expect(overridden({ regime: many(20_000) })).toContain('have 20000 that are exclusive')
    expect(performance.now() - started).toBeLessThan(3000)
  })

  it('fractions can only be overridden where there are some', () => {
    const { fractions: _, ...without } = base
    const overrides = { regime: { r: { fractions: { memory: 0.5 } } } }
    expect(() => validatePolicy({ ...without, overrides })).toThrow('override fractions that the policy does not have')
  })

  it('fractions of the policy itself', () => {
    expect(refused({ fractions: { evidence: 0 } })).toContain('policy.fractions: are all 0')
    expect(refused({ fractions: { evidenc: 1 } })).toContain('Did you mean evidence?')
    expect(refused({ revision: -1 })).toContain('policy.revision: is not a whole number')
  })
})
