import { describe, expect, it } from 'vitest'
import { policies } from './policies.ts'

describe('the policies that come with the product', () => {
  it.each(Object.entries(policies))('P-031: %s has a semantic version, and nobody can change it', (id, policy) => {
    expect(policy.id).toBe(id)
    expect(policy.version).toMatch(/^\d+[.]\d+[.]\d+$/)
    const parts: readonly object[] = [
      policy,
      policy.floors,
      policy.rank,
      policy.pressure,
      policy.epochs,
      ...policy.shares,
    ]
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true)
    expect(() => Object.assign(policy.rank, { relevance: 0 })).toThrow(TypeError)
  })

  it('A-066: one puts quality first, one cost', () => {
    const { 'quality-first': quality, 'cost-first': cost } = policies
    expect(quality?.overflow).toBe('fail-loud')
    expect(quality?.costSensitivity).toBe(0)
    expect(cost?.costSensitivity).toBeGreaterThan(0)
    expect(cost?.floors.relevance).toBeGreaterThan(quality?.floors.relevance ?? 1)
  })
})
