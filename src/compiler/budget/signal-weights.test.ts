import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AllocatorSignals } from '../../core/index.ts'
import { signalWeights } from './signal-weights.ts'

const ratio = fc.double({ min: 0, max: 1, noNaN: true })
const count = fc.integer({ min: 0, max: 1_000 })

const anySignals: fc.Arbitrary<AllocatorSignals> = fc.record(
  {
    checklistEvidenceRatio: ratio,
    expectedToolCalls: count,
    risk: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
    retrievalHitRate: ratio,
    similarity: ratio,
    freshnessDays: fc.double({ min: 0, max: 3650, noNaN: true }),
    unresolvedQuestions: count,
    dialogueDepth: count,
  },
  { requiredKeys: [] },
)

describe('signalWeights', () => {
  it('A-050, B-60: every signal is normalised to [0, 1], every weight lies in [0.5, 1]', () => {
    fc.assert(
      fc.property(anySignals, (signals) => {
        const { normalised, weights } = signalWeights(signals)
        expect(Object.keys(normalised).toSorted()).toEqual(Object.keys(signals).toSorted())
        for (const value of Object.values(normalised)) expect(value).toBeGreaterThanOrEqual(0)
        for (const value of Object.values(normalised)) expect(value).toBeLessThanOrEqual(1)
        for (const value of Object.values(weights)) expect(value).toBeGreaterThanOrEqual(0.5)
        for (const value of Object.values(weights)) expect(value).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('A-048: rises with each signal of a section', () => {
    const steps: readonly (readonly ['evidence' | 'memory' | 'history', readonly AllocatorSignals[]])[] = [
      ['evidence', [{}, { checklistEvidenceRatio: 0.3 }, { checklistEvidenceRatio: 0.9 }]],
      ['evidence', [{}, { expectedToolCalls: 1 }, { expectedToolCalls: 9 }]],
      ['evidence', [{ risk: 'low' }, { risk: 'medium' }, { risk: 'high' }]],
      ['memory', [{}, { retrievalHitRate: 0.2 }, { retrievalHitRate: 0.6 }]],
      ['memory', [{}, { similarity: 0.2 }, { similarity: 0.82 }]],
      ['memory', [{ freshnessDays: 90 }, { freshnessDays: 14 }, { freshnessDays: 0 }]],
      ['history', [{}, { unresolvedQuestions: 1 }, { unresolvedQuestions: 4 }]],
      ['history', [{}, { dialogueDepth: 2 }, { dialogueDepth: 40 }]],
    ]
    for (const [section, rising] of steps) {
      const weights = rising.map((signals) => signalWeights(signals).weights[section])
      expect(weights).toEqual([...new Set(weights)].toSorted((a, b) => a - b))
    }
  })

  it('B-60: with the sample values no section swamps another', () => {
    const { weights } = signalWeights({
      checklistEvidenceRatio: 0.7,
      expectedToolCalls: 3,
      risk: 'high',
      retrievalHitRate: 0.6,
      similarity: 0.82,
      freshnessDays: 2,
      unresolvedQuestions: 4,
      dialogueDepth: 7,
    })
    const shares = [0.6 * weights.evidence, 0.25 * weights.memory, 0.15 * weights.history]
    const total = shares.reduce((sum, share) => sum + share, 0)
    expect(shares.map((share) => Math.round((100 * share) / total))).toEqual([61, 26, 13])
  })
})
