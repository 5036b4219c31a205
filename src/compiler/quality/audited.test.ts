import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item, Policy, QualityMeasure } from '../../core/index.ts'
import { isPrehendError, qualityMeasures, qualityTargets } from '../../core/index.ts'
import { compile, evidence, input, itemOf, words } from '../compile-input.fixture.ts'
import { policies } from '../policy/policies.ts'

const audited = policies['audited']
/** The same policy, which judges small packs as well. */
const strict: Policy = { ...audited, quality: { ...audited.quality, minTokens: 0 } }

const origin = { sourceId: 's', retrievedAt: '2026-01-02', authorityScore: 1, relevanceScore: 1, lineage: 'q' }

/** Packs good and bad: of any age, said twice or not, about the request or not, with all of their origin or a part of it. */
const anyItem = fc.record({
  size: fc.integer({ min: 5, max: 120 }),
  isAbout: fc.boolean(),
  isKnown: fc.boolean(),
  isTrusted: fc.boolean(),
  isTold: fc.boolean(),
  isInstruction: fc.boolean(),
  birthTurn: fc.integer({ min: 0, max: 12 }),
})

const itemsOf = (
  facts: readonly (typeof anyItem extends fc.Arbitrary<infer Facts> ? Facts : never)[],
): readonly Item[] =>
  facts.map(({ size, isAbout, isKnown, isTrusted, isTold, isInstruction, birthTurn }, at) => {
    const text = `${isAbout ? 'open_socket fails. ' : ''}${words(size, isTold ? 'same' : `w${at}x`)}`
    if (isInstruction) return itemOf('policy', `p${at}`, text, { kind: 'instruction', role: 'system' })
    const provenance = isKnown ? { ...origin, span: [0, text.length] as const } : { sourceId: 's' }
    return evidence(`e${at}`, text, { provenance, birthTurn, ...(isTrusted && { trust: 'trusted' }) })
  })

const asked = (items: readonly Item[], taskClass: string, windowTokens: number): CompileInput =>
  input({
    items,
    policy: strict,
    taskClass,
    budget: { windowTokens },
    frame: { request: 'Why does open_socket fail?' },
  })

function sentOf(given: CompileInput): CompileResult | readonly QualityMeasure[] {
  try {
    return compile(given)
  } catch (error) {
    if (isPrehendError(error) && error.code === 'quality-gate' && 'breaches' in error.data)
      return (error.data.breaches as readonly { readonly measure: QualityMeasure }[]).map(({ measure }) => measure)
    throw error
  }
}

describe('P-085, P-078, P-079: policy audited', () => {
  it('sends nothing of a task that is safety-critical that is out of bounds, and says of all else which measure is', () => {
    let [sent, refused] = [0, 0]
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 8 }), fc.integer({ min: 300, max: 3_000 }), (facts, windowTokens) => {
        const items = itemsOf(facts)
        const found = sentOf(asked(items, 'safety-critical', windowTokens))
        const told = compile(asked(items, 'review', windowTokens))
        const breaches = (told.manifest.quality?.breaches ?? []).map(({ measure }) => measure)
        if (!('manifest' in found)) {
          refused += 1
          expect(found).toEqual(breaches)
          expect(found.length).toBeGreaterThan(0)
          return
        }
        // Such a task is sent whole or not at all.
        if (found.pack === undefined) return
        sent += 1
        expect(breaches).toEqual([])
        const { measures = {}, notJudged = {} } = found.manifest.quality ?? {}
        for (const measure of qualityMeasures) {
          const value = measures[measure]
          if (value === undefined || notJudged[measure] !== undefined) continue
          const { least = 0, most = 1 } = qualityTargets[measure]
          expect([measure, value >= least && value <= most]).toEqual([measure, true])
        }
      }),
      { numRuns: 300 },
    )
    expect(Math.min(sent, refused)).toBeGreaterThan(5)
  })

  it('measures every compile, in both layouts, and raises an alarm for each breach of other tasks', () => {
    const stale = evidence('old', words(60), { birthTurn: 0 })
    const fresh = evidence('new', words(20, 'n'), { birthTurn: 12 })
    for (const layout of ['payload', 'messages'] as const) {
      const { events, manifest } = compile({ ...asked([stale, fresh], 'review', 5_000), layout })
      const { measures = {}, breaches = [] } = manifest.quality ?? {}
      expect(Object.keys(measures)).toEqual([...qualityMeasures])
      expect(breaches.map(({ measure }) => measure)).toContain('provenance')
      expect(events.filter(({ type }) => type === 'context:quality')).toHaveLength(breaches.length)
    }
  })
})
