import { describe, expect, it } from 'vitest'
import { composePolicy } from './compose-policy.ts'
import { agentPhasesPolicy } from './presets.ts'
import { careful } from './profiles.ts'
import { tenantChanges, tenantSettingNames, withTenants } from './tenant-settings.ts'

const sample = {
  phase_overrides: {
    executing: { tools: 40, semantic: 15, working: 25, episodic: 10, procedural: 5, reserved: 5 },
  },
}

const fractionsOf = (metadata: Readonly<Record<string, unknown>>, agentPhase: string) =>
  composePolicy(withTenants(agentPhasesPolicy, { acme: tenantChanges(metadata) }), { tenant: 'acme', agentPhase })
    .policy.fractions

describe('what a tenant has otherwise', () => {
  it('C-018: the percentages of a phase by section, in their own words', () => {
    expect(fractionsOf({ context_policy: sample }, 'executing')).toEqual({
      tools: expect.closeTo(0.4, 12) as number,
      evidence: expect.closeTo(0.15, 12) as number,
      task: expect.closeTo(0.25, 12) as number,
      memory: expect.closeTo(0.15, 12) as number,
      reserve: expect.closeTo(0.05, 12) as number,
    })
  })

  it('C-018: what is not named keeps its default, and all of it is brought to 100', () => {
    const fractions = fractionsOf({ context_policy: { phase_overrides: { planning: { semantic: 85 } } } }, 'planning')!
    expect(fractions['evidence']).toBeCloseTo(0.85 / 1.5, 12)
    expect(fractions['tools']).toBeCloseTo(0.2 / 1.5, 12)
  })

  it('X-35, C-018, B-39: there zero means the default, unless it says otherwise', () => {
    const zero = { phase_overrides: { executing: { tools: 0 } } }
    expect(fractionsOf({ context_policy: zero }, 'executing')!['tools']).toBeCloseTo(0.4, 12)
    const removed = { ...zero, zero_means_default: false }
    expect(fractionsOf({ context_policy: removed }, 'executing')!['tools']).toBe(0)
  })

  it('B-43: plan, execute and review are planning, executing and reviewing', () => {
    const short = { phase_overrides: { plan: { semantic: 85 } } }
    expect(fractionsOf({ context_policy: short }, 'planning')!['evidence']).toBeCloseTo(0.85 / 1.5, 12)
    expect(fractionsOf({}, 'execute')).toEqual(fractionsOf({}, 'executing'))
  })

  it('C-003: every phase has percentages of its own, which add up to 100', () => {
    const phases = ['planning', 'executing', 'reviewing'].map((phase) => fractionsOf({}, phase)!)
    for (const fractions of phases)
      expect(Object.values(fractions).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
    expect(new Set(phases.map((fractions) => JSON.stringify(fractions))).size).toBe(3)
  })

  it('C-027: every figure of a policy by its name in lower case, also as a text, and by the names of other products', () => {
    const changes = tenantChanges({
      compression_threshold: '0.9',
      observation_mask_window: 2,
      overflow: 'fail-loud',
      rank_thrift: 0.2,
    })
    const { policy } = composePolicy(withTenants(careful, { acme: changes }), { tenant: 'acme' })
    expect(policy).toMatchObject({
      pressure: { prepare: 0.8, compress: 0.9, evict: 0.95 },
      epochs: { ...careful.epochs, keepFull: 2 },
      overflow: 'fail-loud',
      rank: { ...careful.rank, thrift: 0.2 },
    })
    expect(composePolicy(withTenants(careful, { acme: changes }), { tenant: 'other' }).policy.overflow).toBe(
      'cascade-compress',
    )
    const figures = [...Object.keys(careful.epochs), ...Object.keys(careful.rank), ...Object.keys(careful.floors)]
    expect(tenantSettingNames.length).toBeGreaterThanOrEqual(figures.length + 7)
  })

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'a setting that there is not',
      { compresion_threshold: 1 },
      'metadata.compresion_threshold: is not a setting. Did you mean compression_threshold?',
    ],
    ['a wrong value', { compression_threshold: 'much' }, 'metadata.compression_threshold: is not a number from 0 to 1'],
    ['one out of range', { epochs_keep_full: -1 }, 'metadata.epochs_keep_full: is not a whole number'],
    ['a word that is none', { overflow: 'explode' }, 'metadata.overflow: is not one of'],
    [
      'a section that is none',
      { context_policy: { phase_overrides: { plan: { semantc: 5 } } } },
      'context_policy.phase_overrides.plan.semantc: is not a section. Did you mean semantic?',
    ],
    [
      'more than all',
      { context_policy: { phase_overrides: { plan: { tools: 500 } } } },
      'phase_overrides.plan.tools: is not a number from 0 to 100',
    ],
    ['something else', { context_policy: { phases: {} } }, 'metadata.context_policy.phase_overrides: is missing'],
  ])('C-027: refuses %s', (_, metadata, message) => {
    expect(() => tenantChanges(metadata)).toThrow(message)
  })
})
