import { expect, it } from 'vitest'
import { absoluteBudget } from '../budget/absolute-budget.ts'
import { compressionOf } from '../budget/compression-bands.ts'
import { compile, evidence, input, itemOf, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { compilationTrace } from './projections.ts'

const stamp = { traceId: 'a', timestamp: '2026-01-02T03:04:05Z', latencyMs: 1 }
const items = Array.from({ length: 6 }, (_, index) => evidence(`e${index}`, words(100, `e${index}x`)))
const section = { section: 'evidence', max: 310 }

it('P-047, X-15: a trace tells what remains as keepRatio, what went as removedRatio, and both token counts', () => {
  const { manifest } = compile(input({ items, budget: { windowTokens: 9_000, sections: [section] } }))
  const trace = compilationTrace(manifest, stamp)
  const { used, demanded } = trace.sectionAllocations['evidence'] ?? { used: 0, demanded: 0 }
  expect(used).toBeGreaterThan(200)
  expect(used).toBeLessThanOrEqual(310)
  expect(trace.keepRatios['evidence']).toBeCloseTo(used / demanded, 12)
  expect(trace.removedRatios['evidence']).toBeCloseTo(1 - used / demanded, 12)
  expect([trace.originalTokens, trace.totalTokens]).toEqual([manifest.originalTokens, manifest.packTokens])
  expect(compressionOf(manifest)[0]?.removedRatio).toBeCloseTo(1 - used / demanded, 1)
  const whole = compilationTrace(compile(input({ items })).manifest, stamp)
  expect([whole.keepRatios['evidence'], whole.removedRatios['evidence']]).toEqual([1, 0])
})

it('B-01: what is tolerated and what is in force are two settings, and the one in force holds', () => {
  const log = Array.from({ length: 60 }, (_, index) => `2026-01-02 step ${index} of the build took ${index * 7} ms`)
  const item = itemOf('enrichment', 'log', log.join('\n'))
  const shownWith = (own: { readonly tolerance?: readonly [number, number]; readonly removedRatio?: number }) => {
    const slot = { section: 'enrichment', maxTokens: 500, ...own }
    const budget = absoluteBudget({ windowTokens: 4_000, outputTokens: 0, slots: [slot] })
    const shares = [...careful.shares, { section: 'enrichment', min: 0, max: 1, weight: 0.1 }]
    return compile(input({ items: [item], budget, policy: { ...careful, shares } })).manifest.decisions[0]
  }
  const tolerated = shownWith({ tolerance: [0.6, 0.8] })
  expect(tolerated?.rung).not.toBe('omitted')
  expect(1 - (tolerated?.tokens ?? 0) / (tolerated?.originalTokens ?? 1)).toBeLessThanOrEqual(0.8)
  expect(tolerated?.rung).not.toBe('full')
  expect(shownWith({ tolerance: [0.6, 0.8], removedRatio: 0 })?.rung).toBe('omitted')
})
