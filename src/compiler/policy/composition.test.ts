import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Policy, PolicyChanges, PolicyOverrides, Situation } from '../../core/index.ts'
import { validatePolicy } from './sound-policy.ts'
import { composePolicy } from './compose-policy.ts'
import { fractionBounds } from './fraction-bounds.ts'
import { isHard } from './hard-sections.ts'
import { careful } from './profiles.ts'

const sections = ['policy', 'tools', 'evidence', 'memory', 'situation', 'history'] as const
const soft = ['evidence', 'memory', 'situation', 'history'] as const
const share = fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100)
const shareOrNone = fc.oneof(share, fc.constant(0))

const fractions = (of: readonly string[], value: fc.Arbitrary<number>) =>
  fc.dictionary(fc.constantFrom(...of), value, { minKeys: 1, noNullPrototype: true })

const changes: fc.Arbitrary<PolicyChanges> = fc.record(
  {
    fractions: fractions(soft, shareOrNone),
    floors: fc.record({ relevance: share }),
    epochs: fc.record({ keepFull: fc.integer({ min: 0, max: 20 }) }),
    shares: fc.array(fc.record({ section: fc.constantFrom(...soft), max: shareOrNone, weight: share }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: [] },
)

const names = fc.constantFrom('a', 'b')
const named = fc.dictionary(names, changes, { noNullPrototype: true })

const overrides: fc.Arbitrary<PolicyOverrides> = fc.record(
  {
    tenant: named,
    taskClass: named,
    agentPhase: named,
    lifecyclePhase: named,
    regime: named,
    affect: fc.constant([
      { when: { pleasure: { below: 0 } }, shift: { evidence: 0.05, memory: -0.05 }, minTokens: { memory: 300 } },
    ]),
    affectFloor: fc.constantFrom(0, 0.01),
    turnPhase: fc.constant({ a: { evidence: 2, memory: 0.5, history: 0, policy: 3 } }),
  },
  { requiredKeys: [] },
)

const policyIn: fc.Arbitrary<readonly [Policy, Situation]> = fc.tuple(
  fc
    .record({ fractions: fractions(sections, share), overrides, softTokens: fc.integer({ min: 1, max: 20_000 }) })
    .map((own): Policy => ({ ...careful, ...own })),
  fc.record(
    {
      tenant: names,
      taskClass: names,
      agentPhase: names,
      lifecyclePhase: names,
      regime: names,
      turnPhase: fc.constant('a'),
      affect: fc.constantFrom({ pleasure: -1, arousal: 0, dominance: 0 }, { pleasure: 1, arousal: 0, dominance: 0 }),
    },
    { requiredKeys: [] },
  ),
)

describe('any policy in any situation', () => {
  it('V-009, V-030, X-12: its fractions are none below 0 and add up to 1, and what comes of it is a policy', () => {
    fc.assert(
      fc.property(policyIn, ([policy, situation]) => {
        const inForce = composePolicy(policy, situation)
        const values = Object.values(inForce.policy.fractions!)
        for (const value of values) expect(value).toBeGreaterThanOrEqual(0)
        expect(Math.abs(values.reduce((sum, value) => sum + value, 0) - 1)).toBeLessThan(1e-9)
        expect(() => validatePolicy(inForce.policy)).not.toThrow()
        expect(inForce.policy.overrides).toBeUndefined()
      }),
    )
  })

  it('X-12, B-14: what a phase of it has set to zero stays there, unless nothing would be left', () => {
    let absorbed = 0
    fc.assert(
      fc.property(policyIn, ([policy, situation]) => {
        const phase = policy.overrides?.lifecyclePhase?.[situation.lifecyclePhase ?? 'none']
        const zeros = Object.entries(phase?.fractions ?? {}).flatMap(([section, value]) =>
          value === 0 ? [section] : [],
        )
        const { policy: own, origins } = composePolicy(policy, situation)
        for (const section of zeros) {
          if (origins.get(`fractions.${section}`)?.includes('lifecyclePhase') !== true) continue
          expect(own.fractions![section]).toBe(0)
          absorbed += 1
        }
      }),
      { numRuns: 500 },
    )
    expect(absorbed).toBeGreaterThan(20)
  })

  it('X-13, B-68: its bounds divide, to the token, what hard sections leave of the budget', () => {
    fc.assert(
      fc.property(policyIn, fc.integer({ min: 0, max: 30_000 }), ([policy, situation], hardTokens) => {
        const own = composePolicy(policy, situation).policy
        const windowTokens = 16_000
        const bounds = fractionBounds({ policy: own, layout: 'payload', windowTokens, tokensIn: () => hardTokens })
        const shared = bounds.sections.filter(({ section, max = 0 }) => !isHard(own, section) && max > 0)
        const pool = Math.max(0, Math.min(own.softTokens!, windowTokens) - hardTokens)
        const total = shared.reduce((sum, { max = 0 }) => sum + max, 0)
        const floor = own.sections?.find(({ section }) => section === 'memory')?.min ?? 0
        const hasSoft = Object.entries(own.fractions!).some(([section, value]) => value > 0 && !isHard(own, section))
        if (floor <= pool && hasSoft) expect(total).toBe(pool)
        else expect(total).toBeLessThanOrEqual(Math.max(pool, floor))
      }),
      { numRuns: 300 },
    )
  })

  it('the order in which a policy is written makes no difference', () => {
    fc.assert(
      fc.property(policyIn, ([policy, situation]) => {
        const turned = {
          ...policy,
          fractions: Object.fromEntries(Object.entries(policy.fractions!).toReversed()),
          overrides: Object.fromEntries(Object.entries(policy.overrides!).toReversed()) as PolicyOverrides,
        }
        const [one, other] = [composePolicy(policy, situation), composePolicy(turned, situation)]
        for (const [section, value] of Object.entries(one.policy.fractions!))
          expect(other.policy.fractions![section]).toBeCloseTo(value, 12)
        expect(other.overrides).toEqual(one.overrides)
      }),
    )
  })
})
