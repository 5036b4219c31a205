import { describe, expect, it } from 'vitest'
import { isPrehendError } from '../../core/index.ts'
import { policies } from './policies.ts'
import { composePolicy } from './compose-policy.ts'
import { governor } from './governor.ts'
import { readPolicy } from './read-policy.ts'
import { isSemantic } from './semantic-version.ts'
import { careful } from './profiles.ts'

const messageOf = (value: unknown): string => {
  try {
    readPolicy(value)
  } catch (error) {
    if (isPrehendError(error) && error.code === 'invalid-input') return error.message
    throw error
  }
  return 'accepted'
}

const own = { extends: 'careful', id: 'house', version: '1.0.0' }

describe('a policy as it is written', () => {
  it('extends another, member by member', () => {
    const policy = readPolicy({ ...own, revision: 3, epochs: { keepFull: 9 }, floors: { relevance: 0.2 } })
    expect(policy).toEqual({
      ...careful,
      id: 'house',
      revision: 3,
      epochs: { ...careful.epochs, keepFull: 9 },
      floors: { ...careful.floors, relevance: 0.2 },
    })
    expect(Object.isFrozen(policy.epochs)).toBe(true)
  })

  it('changes a group of epochs member by member, too, and says what a new one lacks', () => {
    const house = { extends: 'balanced', id: 'house', version: '1.0.0' }
    const { epochs } = readPolicy({ ...house, epochs: { compaction: { patience: 0.1 }, justRead: { around: 1 } } })
    const { balanced } = policies
    expect(epochs.compaction).toEqual({ ...balanced.epochs.compaction, patience: 0.1 })
    expect(epochs.justRead).toEqual({ ...balanced.epochs.justRead, around: 1 })
    const without = readPolicy({ ...house, epochs: { compaction: null, justRead: null } }).epochs
    expect([without.compaction, without.justRead]).toEqual([undefined, undefined])
    expect(without.lineWorth).toBe(balanced.epochs.lineWorth)
    const lacking = { ...house, extends: 'masked', epochs: { compaction: { patience: 0.1 } } }
    expect(() => readPolicy(lacking)).toThrow(/^policy\.epochs\.compaction\.\w+: is missing/)
  })

  it('adds its overrides to those that there are', () => {
    const regime = { Calm: { fractions: { Playbook: 0.3 } } }
    const policy = readPolicy({ ...own, extends: 'governor', overrides: { regime } })
    expect(Object.keys(policy.overrides!.regime!)).toEqual(['Volatile', 'BearHighVol', 'Calm'])
    expect(policy.overrides!.affect).toEqual(governor.overrides!.affect)
  })

  it('P-031: every policy that comes with the product can be written whole, read, and is the same in force', () => {
    for (const policy of Object.values(policies)) {
      const written = { ...(JSON.parse(JSON.stringify(policy)) as object), id: 'mine' }
      const read = readPolicy(written)
      expect(read).toEqual({ ...policy, id: 'mine' })
      expect(composePolicy(read).policy.fractions).toEqual(composePolicy(policy).policy.fractions)
    }
  })

  it('is not what the caller still holds', () => {
    const written = { ...own, shares: [{ section: 'evidence', min: 0, max: 1, weight: 1 }] }
    const policy = readPolicy(written)
    written.shares[0]!.max = 0
    expect(policy.shares[0]!.max).toBe(1)
    expect(() => Object.assign(policy.shares[0]!, { max: 0 })).toThrow(TypeError)
  })

  it.each<[string, unknown, string]>([
    ['a name that is none', 'carefull', 'policy: carefull is not a policy. Did you mean careful?'],
    [
      'a base that is none',
      { ...own, extends: 'thirfty' },
      'policy.extends: thirfty is not a policy. Did you mean thrifty?',
    ],
    ['no version', { extends: 'careful', id: 'house' }, 'policy.version: is missing'],
    ['a version that is none', { ...own, version: 'v2' }, 'policy.version: is not a semantic version'],
    ['the name of another', { ...own, id: 'thrifty' }, 'policy.id: thrifty comes with the product'],
    ['a misspelt member', { ...own, fractons: {} }, 'policy.fractons: is not known. Did you mean fractions?'],
    [
      'one further down',
      { ...own, epochs: { keepful: 1 } },
      'policy.epochs.keepful: is not known. Did you mean keepFull?',
    ],
    [
      'a misspelt level',
      { ...own, overrides: { regimes: {} } },
      'policy.overrides.regimes: is not known. Did you mean regime?',
    ],
    [
      'a misspelt figure of an override',
      { ...own, overrides: { regime: { a: { overflw: 'x' } } } },
      'overrides.regime.a.overflw: is not known. Did you mean overflow?',
    ],
    ['no policy', 7, 'policy: is not a policy'],
    ['a list', [], 'policy: is not a policy'],
  ])('refuses %s', (_, value, message) => {
    expect(messageOf(value)).toContain(message)
  })

  it.each([
    ['1.0.0', true],
    ['0.10.3-rc.1+build.5', true],
    ['1.0', false],
    ['01.0.0', false],
    ['1.0.0-', false],
    ['', false],
    ['latest', false],
  ])('P-031: whether %j is a semantic version: %s', (version, expected) => {
    expect(isSemantic(version)).toBe(expected)
  })
})
