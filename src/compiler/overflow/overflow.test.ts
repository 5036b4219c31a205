import { describe, expect, it } from 'vitest'
import type { CompileInput, OverflowPolicy } from '../../core/index.ts'
import { availableTokens } from '../budget/resolve-budget.ts'
import { compile, evidence, input, itemOf, words } from '../compile-input.fixture.ts'
import { careful, qualityFirst } from '../policies.ts'

/** Three times as much as fits. */
const crowded = [
  itemOf('policy', 'rule', 'Be brief.'),
  itemOf('task', 'task', 'Find the change.'),
  ...Array.from({ length: 12 }, (_, index) => evidence(`e${index}`, words(200, `e${index}x`))),
  ...Array.from({ length: 6 }, (_, index) => itemOf('memory', `m${index}`, words(100, `m${index}x`))),
  itemOf('history', 'h0', words(200, 'old'), { role: 'user' }),
  itemOf('history', 'h1', words(200, 'new'), { role: 'assistant' }),
]

const under = (overflow: OverflowPolicy, changes: Partial<CompileInput> = {}) =>
  compile(input({ items: crowded, budget: { windowTokens: 1_500 }, policy: { ...careful, overflow }, ...changes }))

const reasonsOf = (result: ReturnType<typeof compile>, section: string) => [
  ...new Set(result.manifest.decisions.filter((one) => one.section === section).map(({ reason }) => reason)),
]

describe('what happens when not everything fits', () => {
  it('P-035, X-28: cascade-compress shortens and says so, item by item', () => {
    const { outcome, pack, manifest, budget } = under('cascade-compress')
    expect(outcome).toEqual({ kind: 'ok' })
    expect(pack?.tokens).toBeLessThanOrEqual(availableTokens(budget))
    expect(manifest.overflow).toBe('cascade-compress')
    const hidden = manifest.decisions.filter(({ rung }) => rung !== 'full')
    expect(hidden.length).toBeGreaterThan(0)
    expect(manifest.truncations.flatMap(({ itemIds }) => itemIds)).toHaveLength(hidden.length)
  })

  it('P-033, P-035, P-036: fail-loud sends nothing and says how much is missing', () => {
    const { outcome, pack } = under('fail-loud')
    expect(pack).toBeUndefined()
    expect(outcome).toMatchObject({ kind: 'budget-exhausted', availableTokens: 1_350 })
    expect(outcome.kind === 'budget-exhausted' && outcome.neededTokens).toBeGreaterThan(3_400)
    expect([careful.overflow, qualityFirst.overflow]).toEqual(['cascade-compress', 'fail-loud'])
  })

  it('P-035: truncate-lowest leaves out whole sections, the least important first', () => {
    const result = under('truncate-lowest')
    expect(result.outcome).toEqual({ kind: 'ok' })
    expect(reasonsOf(result, 'history')).toEqual(['overflow'])
    expect(reasonsOf(result, 'memory')).toEqual(['overflow'])
    expect(reasonsOf(result, 'evidence')).not.toContain('overflow')
  })

  it('P-035, X-28: defer-retrieval sends all but the evidence, and names what waits', () => {
    const result = under('defer-retrieval')
    expect(result.outcome).toEqual({
      kind: 'retrieval-pending',
      deferredIds: Array.from({ length: 12 }, (_, index) => `e${index}`),
    })
    expect(reasonsOf(result, 'evidence')).toEqual(['deferred'])
    expect(result.pack?.entries.some(({ section }) => section === 'memory')).toBe(true)
    expect(result.manifest.evidenceNeeded).toBe(true)
  })

  it('P-035, X-28: paginate shows every piece of evidence on one page, each within the window', () => {
    const { outcome, budget } = under('paginate')
    const pages = outcome.kind === 'paginated' ? outcome.pages : []
    const onPages = pages.map(({ entries }) =>
      entries.filter(({ section }) => section === 'evidence').map(({ itemId }) => itemId),
    )
    expect(pages.length).toBeGreaterThan(1)
    expect(onPages.flat().toSorted()).toEqual(Array.from({ length: 12 }, (_, index) => `e${index}`).toSorted())
    for (const page of pages) expect(page.tokens).toBeLessThanOrEqual(availableTokens(budget))
  })

  it('A-049, X-28: pinned items that do not fit beside the fixed tiers ask for the step to be split', () => {
    const items = [itemOf('task', 'task', 'Go on.'), evidence('big', words(2_000), { pin: true })]
    const { outcome, pack } = compile(input({ items, budget: { windowTokens: 1_500 } }))
    expect(pack).toBeUndefined()
    expect(outcome).toMatchObject({ kind: 'split-required', availableTokens: 1_350 })
    expect(outcome.kind === 'split-required' && outcome.neededTokens).toBeGreaterThan(2_000)
  })

  it('P-037, P-010: fixed tiers over the window are exhausted under every policy, and are named', () => {
    const items = [itemOf('policy', 'rules', words(2_000)), evidence('small', 'A fact.')]
    for (const overflow of [
      'cascade-compress',
      'truncate-lowest',
      'defer-retrieval',
      'paginate',
      'fail-loud',
    ] as const) {
      const { outcome, pack } = compile(
        input({ items, budget: { windowTokens: 1_500 }, policy: { ...careful, overflow } }),
      )
      expect(pack).toBeUndefined()
      expect(outcome).toMatchObject({ kind: 'budget-exhausted', sections: ['policy'] })
    }
  })

  it('P-035: where everything fits, every policy makes the same pack', () => {
    const roomy = { windowTokens: 100_000 }
    const hashes = (['cascade-compress', 'truncate-lowest', 'defer-retrieval', 'paginate', 'fail-loud'] as const).map(
      (overflow) => {
        const { outcome, pack } = under(overflow, { budget: roomy })
        expect(outcome).toEqual({ kind: 'ok' })
        return pack?.hash
      },
    )
    expect(new Set(hashes).size).toBe(1)
  })

  it('no pressure takes anything from policy, role, task or query', () => {
    const fixed = ['policy', 'role', 'task', 'query'].map((section) => itemOf(section, section, `Kept ${section}.`))
    for (const windowTokens of [900, 1_000, 2_000, 4_000]) {
      const { manifest, outcome } = compile(input({ items: [...crowded.slice(2), ...fixed], budget: { windowTokens } }))
      expect(outcome).toEqual({ kind: 'ok' })
      const kept = manifest.decisions.filter(({ section }) => fixed.some((item) => item.section === section))
      expect(kept.map(({ rung }) => rung)).toEqual(['full', 'full', 'full', 'full'])
    }
  })

  it('P-003, X-14: more room is asked for the reply than there is: nothing is sent', () => {
    const { outcome, pack } = compile(input({ budget: { windowTokens: 1_000, maxOutputTokens: 1_000 } }))
    expect(pack).toBeUndefined()
    expect(outcome).toMatchObject({ kind: 'budget-exhausted', availableTokens: 0 })
  })
})
