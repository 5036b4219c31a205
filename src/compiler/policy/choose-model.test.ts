import { describe, expect, it } from 'vitest'
import type { Item, ModelPreference, PolicyOverrides } from '../../core/index.ts'
import { careful } from './profiles.ts'
import { chooseModel } from './choose-model.ts'
import { composePolicy } from './compose-policy.ts'
import { readPolicy } from './read-policy.ts'
import { withSettings, withTenants } from './apply-settings.ts'
import { tenantChanges } from './tenant-settings.ts'

const preferring = (modelPreference: ModelPreference, overrides?: PolicyOverrides) =>
  readPolicy({ extends: 'careful', id: 'house', version: '1.0.0', modelPreference, ...(overrides && { overrides }) })

const call = (toolName: string, text: string): Item => ({
  id: `${toolName}${text.length}`,
  section: 'history',
  kind: 'tool-call',
  role: 'assistant',
  text,
  toolName,
})

const looking = [call('read', '{"path":"a.ts"}')]
const changing = [...looking, call('edit', '{"path":"a.ts","new":"b"}')]
const checking = [...changing, ...Array.from({ length: 4 }, () => call('run_tests', '{}'))]

describe('which kind of model is asked', () => {
  it('V-012: cheap first begins without a model and goes on to dearer ones, paranoid asks the dear one alone', () => {
    for (const items of [[], looking, changing, checking]) {
      expect(chooseModel(preferring('cheap-first'), { items }).tiers).toEqual(['T0', 'T1', 'T2'])
      expect(chooseModel(preferring('paranoid'), { items }).tiers).toEqual(['T2'])
    }
  })

  it.each<[string, Parameters<typeof chooseModel>[1], string]>([
    ['nothing known', {}, 'T1'],
    ['planning', { items: looking }, 'T2'],
    ['executing', { items: changing }, 'T1'],
    ['reviewing', { items: checking }, 'T2'],
    ['executing, by its own word', { items: looking, situation: { agentPhase: 'execute' } }, 'T1'],
    ['a phase of the host’s own', { items: looking, situation: { agentPhase: 'gardening' } }, 'T1'],
    ['a turn to decide', { items: changing, situation: { turnPhase: 'decide' } }, 'T2'],
    ['a turn to execute', { items: changing, situation: { turnPhase: 'execute' } }, 'T1'],
    ['a high risk', { items: changing, risk: 'high' }, 'T2'],
    ['a task whose state says so', { items: looking, state: { objective: 'Ship.', phase: 'act' } }, 'T1'],
    ['a task that has failed', { state: { objective: 'Ship.', phase: 'act', error: 'No.' } }, 'T2'],
  ])('V-012: balanced suits the work: %s', (_, work, tier) => {
    const { tiers, why } = chooseModel(preferring('balanced'), work)
    expect(tiers).toEqual([tier])
    expect(why).not.toBe('')
    expect(chooseModel(careful, work).tiers).toEqual([tier])
  })

  it('V-009: tenant, task, phase and regime prefer in their order, and settings by name', () => {
    const policy = withTenants(
      preferring('paranoid', {
        taskClass: { small: { modelPreference: 'cheap-first' } },
        agentPhase: { executing: { modelPreference: 'balanced' } },
        regime: { volatile: { modelPreference: 'paranoid' } },
      }),
      { acme: tenantChanges({ model_preference: 'balanced' }) },
    )
    const preferenceIn = (situation: object, items: readonly Item[] = []) =>
      chooseModel(policy, { situation, items }).preference
    expect(preferenceIn({})).toBe('paranoid')
    expect(preferenceIn({ tenant: 'acme' })).toBe('balanced')
    expect(preferenceIn({ tenant: 'acme', taskClass: 'small' })).toBe('cheap-first')
    expect(preferenceIn({ taskClass: 'small' }, changing)).toBe('balanced')
    expect(preferenceIn({ taskClass: 'small', regime: 'volatile' }, changing)).toBe('paranoid')
    expect(chooseModel(withSettings(careful, { model_preference: 'cheap-first' })).preference).toBe('cheap-first')
  })

  it('V-103: figures follow the tier of the model, after all else that holds', () => {
    const policy = preferring('balanced', {
      regime: { volatile: { contextTokens: 90_000 } },
      modelTier: { T1: { contextTokens: 30_000 } },
    })
    const contextIn = (situation: object) => composePolicy(policy, situation).policy.contextTokens
    expect(contextIn({ regime: 'volatile', modelTier: 'T2' })).toBe(90_000)
    expect(contextIn({ regime: 'volatile', modelTier: 'T1' })).toBe(30_000)
    expect(composePolicy(policy, { modelTier: 'T1' }).overrides).toEqual(['modelTier T1'])
  })

  it.each<[string, object, string]>([
    ['an unknown preference', { modelPreference: 'cheap' }, 'policy.modelPreference'],
    ['an unknown tier', { overrides: { modelTier: { T3: {} } } }, 'policy.overrides.modelTier.T3'],
    [
      'a preference that its own choice decides',
      { overrides: { modelTier: { T1: { modelPreference: 'paranoid' } } } },
      'policy.overrides.modelTier.T1.modelPreference',
    ],
  ])('refuses %s by its path', (_, said, field) => {
    const reading = () => readPolicy({ extends: 'careful', id: 'house', version: '1.0.0', ...said })
    expect(reading).toThrow(
      expect.objectContaining({ code: 'invalid-input', data: expect.objectContaining({ field }) }),
    )
  })
})
