import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Policy, PolicyUpdate } from '../../core/index.ts'
import { governor } from './governor.ts'
import { careful } from './profiles.ts'
import { foldPolicy, policyUpdate, revisePolicy } from './revise-policy.ts'

const share = fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100)
const someName = fc.constantFrom('review', 'calm', '__proto__', 'constructor', 'très agité')

/** Members of a policy as a host may change them, one taken away now and then. */
const changes: fc.Arbitrary<Parameters<typeof revisePolicy>[1]> = fc.record(
  {
    floors: fc.record({ relevance: share, freshness: share, authority: share }),
    fractions: fc.dictionary(fc.constantFrom('evidence', 'memory', 'history', 'tools'), share, { minKeys: 1 }),
    softTokens: fc.option(fc.integer({ min: 1, max: 9000 }), { nil: undefined }),
    overrides: fc.option(
      fc.record({ regime: fc.dictionary(someName, fc.record({ reserveShare: share.map((one) => one / 2) })) }),
      { nil: undefined },
    ),
    requires: fc.subarray(['goal', 'step', 'evidence'] as const),
    overflow: fc.constantFrom('fail-loud' as const, 'paginate' as const),
  },
  { requiredKeys: [] },
)

/** All of it, whatever of the changes changes nothing. */
function history(steps: readonly Parameters<typeof revisePolicy>[1][]): {
  readonly events: readonly PolicyUpdate[]
  readonly policies: readonly Policy[]
} {
  const events = [policyUpdate(undefined, careful, 'created')]
  const policies: Policy[] = [careful]
  for (const [index, step] of steps.entries()) {
    try {
      const { policy, event } = revisePolicy(policies.at(-1)!, step, `change ${index}`)
      policies.push(policy)
      events.push(event)
    } catch (error) {
      expect(String(error)).toContain('change nothing')
    }
  }
  return { events, policies }
}

describe('revisions of a policy', () => {
  it('V-068, B-15: its events, folded, give it back, at every revision', () => {
    let told = 0
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 12 }), (steps) => {
        const { events, policies } = history(steps)
        // What stands in a log has been JSON.
        const logged = JSON.parse(JSON.stringify(events)) as readonly PolicyUpdate[]
        for (const [index, policy] of policies.entries()) {
          expect(foldPolicy(logged.slice(0, index + 1))).toEqual(policy)
          expect(foldPolicy(logged.slice(1, index + 1), careful)).toEqual(policy)
        }
        told += events.length
      }),
    )
    expect(told).toBeGreaterThan(300)
  })

  it('V-009: a revision only rises, by one for each change', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 12 }), (steps) => {
        const { policies, events } = history(steps)
        expect(policies.map(({ revision = 0 }) => revision)).toEqual(policies.map((_, index) => index))
        expect(events.map(({ revision }) => revision)).toEqual(policies.map((_, index) => index))
      }),
    )
    const old = { ...careful, revision: 4 }
    expect(() => policyUpdate(old, { ...careful, revision: 4 }, 'again')).toThrow(
      'policy.revision: 4 does not rise above 4',
    )
    expect(() => policyUpdate(old, { ...careful, revision: 3 }, 'back')).toThrow(
      'Give policy careful revision 5 or more',
    )
    expect(() => policyUpdate(old, { ...governor, revision: 9 }, 'other')).toThrow('policy.id')
  })

  it('V-009, V-030: fractions in force add up to 1, whatever they were changed to', () => {
    const { policy } = revisePolicy(careful, { fractions: { evidence: 0.2, memory: 0.1 } }, 'learnt')
    expect(policy.fractions).toEqual({ evidence: 0.2, memory: 0.1 })
    expect(Object.isFrozen(policy.fractions)).toBe(true)
  })

  it('events that are missing, told twice or in another order are no history', () => {
    const { events } = history([{ overflow: 'paginate' }, { overflow: 'fail-loud' }])
    expect(() => foldPolicy([events[0]!, events[1]!, events[1]!])).toThrow('revision 1 of careful comes after 1')
    expect(() => foldPolicy([events[0]!, events[2]!, events[1]!])).toThrow('comes after 2')
    expect(foldPolicy([])).toBeUndefined()
  })

  it('a change must leave a policy, and change it', () => {
    expect(() => revisePolicy(careful, {}, 'nothing')).toThrow('change nothing')
    expect(() => revisePolicy(careful, { reserveShare: 2 }, 'wrong')).toThrow('policy.reserveShare')
    expect(() => revisePolicy(careful, { fractions: { evidnce: 1 } }, 'wrong')).toThrow('Did you mean evidence?')
  })
})
