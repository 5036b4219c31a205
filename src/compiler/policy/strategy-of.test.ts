import { describe, expect, it } from 'vitest'
import type { CompileInput, Item, Policy, PolicyOverrides } from '../../core/index.ts'
import { evidence, newCompiler } from '../word-tokens.fixture.ts'
import { composePolicy } from './compose-policy.ts'
import { explainPolicy } from './explain-policy.ts'
import { careful } from './profiles.ts'
import { readPolicy } from './read-policy.ts'
import { foldPolicy, revisePolicy } from './revise-policy.ts'
import { strategyOf } from './strategy-of.ts'

const strategies = {
  precise: { collections: ['wiki'], relevance: 0.5, maxItems: { wiki: 3 } },
  wide: { maxItems: { wiki: 20, tickets: 10 }, followLinks: true, weights: { relevance: 0.4, freshness: 0.6 } },
}

const searching = (overrides: PolicyOverrides = {}, more: object = {}): Policy =>
  readPolicy({
    extends: 'careful',
    id: 'house',
    version: '1.0.0',
    retrieval: { use: 'precise', strategies },
    overrides,
    ...more,
  })

const overrides: PolicyOverrides = {
  taskClass: { review: { retrieval: { use: 'wide' } } },
  agentPhase: { planning: { retrieval: { maxItems: { wiki: 8 } } } },
  regime: { volatile: { retrieval: { relevance: 0.7, weights: { freshness: 0.9 } } } },
}

const looked: Item = {
  id: 'c',
  section: 'history',
  kind: 'tool-call',
  role: 'assistant',
  text: '{"path":"a"}',
  toolName: 'read',
}

describe('the strategy of retrieval', () => {
  it('V-019: the task chooses it, phase and regime change its figures, one by one', () => {
    const policy = searching(overrides)
    expect(strategyOf(policy)).toEqual({ name: 'precise', ...strategies.precise })
    const review = { taskClass: 'review' }
    expect(strategyOf(policy, { situation: review })).toEqual({ name: 'wide', ...strategies.wide })
    expect(strategyOf(policy, { situation: { ...review, agentPhase: 'plan' } })?.maxItems).toEqual({
      wiki: 8,
      tickets: 10,
    })
    expect(strategyOf(policy, { situation: { ...review, agentPhase: 'planning', regime: 'volatile' } })).toEqual({
      name: 'wide',
      maxItems: { wiki: 8, tickets: 10 },
      followLinks: true,
      relevance: 0.7,
      weights: { relevance: 0.4, freshness: 0.9 },
    })
    // The phase is found where nobody says it.
    expect(strategyOf(policy, { items: [looked] })?.maxItems).toEqual({ wiki: 8 })
    expect(strategyOf(careful, { situation: review })).toBeUndefined()
  })

  it('V-032, V-019: later levels win, and where a figure is from can be told', () => {
    const both = searching({
      ...overrides,
      regime: { volatile: { retrieval: { use: 'precise', maxItems: { wiki: 1 } } } },
    })
    const situation = { taskClass: 'review', agentPhase: 'planning', regime: 'volatile' }
    expect(strategyOf(both, { situation })).toMatchObject({ name: 'precise', maxItems: { wiki: 1 } })
    const { values } = explainPolicy(both, { situation })
    expect(values.filter(({ path }) => path.startsWith('retrieval.'))).toContainEqual(
      expect.objectContaining({
        path: 'retrieval.strategies.precise.maxItems.wiki',
        value: 1,
        from: 'regime volatile',
      }),
    )
    expect(values).toContainEqual(expect.objectContaining({ path: 'retrieval.use', from: 'regime volatile' }))
  })

  it('V-019: its weights rank what was found, and the receipt names it', () => {
    const items = [
      evidence('old', 30, { scores: { relevance: 0.9, freshness: 0 } }),
      evidence('new', 30, { scores: { relevance: 0.3, freshness: 1 } }),
    ]
    const best = (situation: NonNullable<CompileInput['situation']>) => {
      const { manifest } = newCompiler().compile({
        items,
        policy: searching(overrides, { floors: { relevance: 0, freshness: 0, authority: 0 } }),
        situation,
        layout: 'payload',
        frame: { request: 'Why?' },
        budget: { windowTokens: 2000, sections: [{ section: 'evidence', maxItems: 1 }] },
      })
      const [shown] = manifest.decisions.filter(({ rung, section }) => section === 'evidence' && rung !== 'omitted')
      return [manifest.retrieval, shown?.itemId]
    }
    expect(best({})).toEqual(['precise', 'old'])
    expect(best({ taskClass: 'review', regime: 'volatile' })).toEqual(['wide', 'new'])
  })

  it.each<[string, object, string]>([
    ['a strategy that there is not', { retrieval: { use: 'precice', strategies } }, 'policy.retrieval.use'],
    [
      'a figure that is none',
      { retrieval: { use: 'a', strategies: { a: { relevance: 2 } } } },
      'policy.retrieval.strategies.a.relevance',
    ],
    [
      'an override of a search that is not described',
      { overrides: { regime: { r: { retrieval: { use: 'a' } } } } },
      'policy.overrides.regime.r.retrieval',
    ],
    [
      'an override that names none of them',
      { retrieval: { use: 'wide', strategies }, overrides: { regime: { r: { retrieval: { use: 'a' } } } } },
      'policy.overrides.regime.r.retrieval.use',
    ],
    [
      'a word that is none',
      { retrieval: { use: 'wide', strategies: { wide: { maxItem: 3 } } } },
      'policy.retrieval.strategies.wide.maxItem',
    ],
  ])('refuses %s by its path', (_, said, field) => {
    expect(() => readPolicy({ extends: 'careful', id: 'house', version: '1.0.0', ...said })).toThrow(
      expect.objectContaining({ code: 'invalid-input', data: expect.objectContaining({ field }) }),
    )
  })
})

describe('V-009: one policy', () => {
  const metrics = { decisionQuality: 0.8, tokenEfficiency: 1.5, validatedMs: 1_790_000_000_000 }
  const policy = searching(overrides, {
    modelPreference: 'balanced',
    metrics,
    fractions: { evidence: 0.5, memory: 0.3 },
  })

  it('has revision, fractions that sum to 1, retrieval, compression, overrides, a preference of models and metrics', () => {
    const { fractions = {}, ...inForce } = composePolicy(policy, { taskClass: 'review' }).policy
    expect(Object.values(fractions).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
    expect(inForce).toMatchObject({ metrics, modelPreference: 'balanced', retrieval: { use: 'wide' } })
    expect([inForce.pressure, inForce.epochs]).toEqual([careful.pressure, careful.epochs])
  })

  it('its metrics are told, and come along with its revisions', () => {
    expect(explainPolicy(policy).values).toContainEqual(
      expect.objectContaining({ path: 'metrics.decisionQuality', value: 0.8 }),
    )
    const { policy: revised, event } = revisePolicy(policy, { metrics: { decisionQuality: 0.9 } }, 'records')
    expect(revised.revision).toBe(1)
    expect(foldPolicy([event], policy)).toEqual(revised)
  })

  it('what was measured of it changes no byte of a pack', () => {
    const packed = (one: Policy) =>
      newCompiler().compile({
        items: [evidence('e', 30)],
        policy: one,
        layout: 'payload',
        frame: { request: 'Why?' },
        budget: { windowTokens: 2000 },
      }).pack
    const { metrics: _, ...plain } = policy
    expect(packed(policy)).toBeDefined()
    expect(packed(policy)).toEqual(packed(plain))
  })
})
