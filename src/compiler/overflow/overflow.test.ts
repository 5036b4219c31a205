import { describe, expect, it } from 'vitest'
import type { CompileInput, OverflowPolicy } from '../../core/index.ts'
import { availableTokens } from '../budget/resolve-budget.ts'
import { compile, evidence, input, itemOf, words } from '../compile-input.fixture.ts'
import { careful, qualityFirst } from '../policy/policies.ts'

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
    expect(outcome).toMatchObject({ kind: 'ok' })
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
    expect(result.outcome).toMatchObject({ kind: 'ok' })
    expect(reasonsOf(result, 'history')).toEqual(['overflow'])
    expect(reasonsOf(result, 'memory')).toEqual(['overflow'])
    expect(reasonsOf(result, 'evidence')).not.toContain('overflow')
  })

  it('P-035, X-28: defer-retrieval sends all but the evidence, and names what waits', () => {
    const result = under('defer-retrieval')
    expect(result.outcome).toEqual({
      kind: 'retrieval-pending',
      omitted: 12,
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

  it('A-049: minimums that do not fit together ask for the step to be split, and are named', () => {
    const sections = [
      { section: 'evidence', min: 900 },
      { section: 'memory', min: 500 },
    ]
    const { outcome, pack, budget } = under('cascade-compress', { budget: { windowTokens: 1_500, sections } })
    expect(pack).toBeUndefined()
    expect(outcome).toMatchObject({
      kind: 'split-required',
      availableTokens: availableTokens(budget),
      reason: 'Pinned items and minimums do not fit beside the fixed tiers: evidence, memory.',
    })
    expect(outcome.kind === 'split-required' && outcome.neededTokens).toBeGreaterThan(1_400)
  })

  it('A-049: a section that stands whole keeps its maximum, or the step is to be split', () => {
    const question = itemOf('query', 'q', words(300), { role: 'user' })
    const asking = (max: number) =>
      compile(input({ items: [question], budget: { windowTokens: 9_000, sections: [{ section: 'query', max }] } }))
    expect(asking(400).outcome).toEqual({ kind: 'ok', omitted: 0 })
    const { outcome, pack } = asking(100)
    expect(pack).toBeUndefined()
    expect(outcome).toMatchObject({ kind: 'split-required' })
    expect(outcome.kind === 'split-required' && outcome.reason).toMatch(
      /^Section query must show \d+ tokens and may take 100\.$/,
    )
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
        expect(outcome).toEqual({ kind: 'ok', omitted: 0 })
        return pack?.hash
      },
    )
    expect(new Set(hashes).size).toBe(1)
  })

  it('no pressure takes anything from policy, role, task or query', () => {
    const fixed = ['policy', 'role', 'task', 'query'].map((section) => itemOf(section, section, `Kept ${section}.`))
    for (const windowTokens of [900, 1_000, 2_000, 4_000]) {
      const { manifest, outcome } = compile(input({ items: [...crowded.slice(2), ...fixed], budget: { windowTokens } }))
      expect(outcome).toMatchObject({ kind: 'ok' })
      const kept = manifest.decisions.filter(({ section }) => fixed.some((item) => item.section === section))
      expect(kept.map(({ rung }) => rung)).toEqual(['full', 'full', 'full', 'full'])
    }
  })

  it('P-003, X-14: more room is asked for the reply than there is: nothing is sent', () => {
    const { outcome, pack } = compile(input({ budget: { windowTokens: 1_000, maxOutputTokens: 1_000 } }))
    expect(pack).toBeUndefined()
    expect(outcome).toMatchObject({ kind: 'budget-exhausted', availableTokens: 0 })
  })

  describe('tools', () => {
    const tool = (index: number) =>
      itemOf(
        'tools',
        `t${index}`,
        JSON.stringify({
          name: `t${index}`,
          description: words(30, `d${index}x`),
          parameters: { type: 'object', properties: { a: { type: 'string', description: words(120, `p${index}x`) } } },
        }),
        { kind: 'tool-schema', toolName: `t${index}` },
      )
    const tools = Array.from({ length: 12 }, (_, index) => tool(index))
    const rungsUnder = (windowTokens: number, sections: NonNullable<CompileInput['budget']['sections']> = []) => {
      const { manifest } = compile(input({ items: tools, budget: { windowTokens, sections } }))
      return manifest.decisions.map(({ rung }) => rung)
    }
    const { packTokens } = compile(input({ items: tools, budget: { windowTokens: 90_000 } })).manifest

    it('A-031, P-010: are all shown whole where there is room to spare', () => {
      expect(rungsUnder(Math.ceil(packTokens / 0.85))).toEqual(tools.map(() => 'full'))
    })

    it('X-05, A-031: are shortened, all of them, before any is left out', () => {
      const rungs = rungsUnder(Math.ceil(packTokens * 0.6))
      expect(rungs).toContain('trimmed')
      expect(rungs).not.toContain('omitted')
    })

    it('X-05: a maximum that the request names is kept also where there is room', () => {
      const sections = [{ section: 'tools', max: Math.floor(packTokens / 2) }]
      expect(rungsUnder(90_000, sections)).toContain('trimmed')
      expect(rungsUnder(90_000, [{ section: 'tools', max: 300 }])).toContain('omitted')
    })
  })
})
