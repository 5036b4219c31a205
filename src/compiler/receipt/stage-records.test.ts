import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileStages, overflowPolicies } from '../../core/index.ts'
import type { CompileInput, CompileResult, Item } from '../../core/index.ts'
import { compile, evidence, input, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'

const stagesOf = ({ manifest }: CompileResult) =>
  Object.fromEntries((manifest.stages ?? []).map(({ stage, items, tokens }) => [stage, [items, tokens]]))

const items: readonly Item[] = [
  ...Array.from({ length: 6 }, (_, at) => evidence(`e${at}`, words(100, `e${at}x`), { scores: { relevance: 0.9 } })),
  evidence('weak', words(50, 'weak'), { scores: { relevance: 0.01 } }),
  itemOf('memory', 'm', words(30, 'm')),
]
const strict = { ...careful, id: 'strict', floors: { ...careful.floors, relevance: 0.2 } }

describe('P-019: the stages of a compile', () => {
  it('stand in its receipt, in their order, with what each has left', () => {
    const sections = [{ section: 'evidence', maxItems: 4, max: 350 }]
    const result = compile(input({ items, policy: strict, budget: { windowTokens: 2_000, sections } }))
    expect(result.manifest.stages?.map(({ stage }) => stage)).toEqual(['collect', ...compileStages])
    const { collect, filter, rank, allocate, compress, assemble, validate } = stagesOf(result)
    const full = new Map(result.manifest.decisions.map(({ itemId, originalTokens }) => [itemId, originalTokens]))
    const total = (...ids: readonly string[]): number => ids.reduce((sum, id) => sum + (full.get(id) ?? 0), 0)
    expect(collect).toEqual([8, total(...full.keys())])
    expect(filter).toEqual([7, total(...full.keys()) - total('weak')])
    expect(rank).toEqual([5, total('m', 'e0', 'e1', 'e2', 'e3')])
    expect(allocate?.[0]).toBe(5)
    expect(allocate?.[1]).toBe(total('m') + 350)
    const shown = result.manifest.decisions.filter(({ rung }) => rung !== 'omitted')
    expect(compress).toEqual([shown.length, shown.reduce((sum, { tokens }) => sum + tokens, 0)])
    expect(assemble).toEqual([result.pack?.entries.length, result.manifest.packTokens])
    expect(validate).toEqual(assemble)
  })

  it('say how often they ran where not everything fits at once, and only as far as they came', () => {
    const tight = { items, budget: { windowTokens: 800 } }
    const pages = compile(input({ ...tight, policy: { ...strict, overflow: 'paginate' } }))
    if (pages.outcome.kind !== 'paginated') throw new Error(pages.outcome.kind)
    const runs = new Map(pages.manifest.stages?.map(({ stage, runs: times }) => [stage, times]))
    expect(runs.get('assemble')).toBe(pages.outcome.pages.length)
    expect(runs.get('compress')).toBeGreaterThan(1)
    expect(runs.get('filter')).toBeUndefined()
    const refused = compile(input({ ...tight, policy: { ...strict, overflow: 'fail-loud' } }))
    expect(refused.pack).toBeUndefined()
    expect(refused.manifest.stages?.map(({ stage }) => stage)).toEqual([
      'collect',
      'filter',
      'rank',
      'allocate',
      'compress',
    ])
  })

  it('keep what each promises, of any items, budget and policy of overflow, in both layouts', () => {
    const anyItem = fc.record({
      section: fc.constantFrom('evidence', 'memory', 'history', 'task'),
      count: fc.integer({ min: 1, max: 200 }),
      relevance: fc.constantFrom(0.05, 0.5, 0.9),
      pin: fc.boolean(),
    })
    const inputs = fc.record({
      made: fc.array(anyItem, { maxLength: 12 }),
      windowTokens: fc.integer({ min: 300, max: 2_500 }),
      overflow: fc.constantFrom(...overflowPolicies),
      layout: fc.constantFrom('payload' as const, 'messages' as const),
    })
    fc.assert(
      fc.property(inputs, ({ made, windowTokens, overflow, layout }) => {
        fc.pre(layout === 'payload' || overflow !== 'paginate')
        const own = made.map(({ section, count, relevance, pin }, at): Item => {
          const text = words(count, `i${at}x`)
          const more = { scores: { relevance }, ...(pin && { pin }) }
          if (section === 'evidence') return evidence(`i${at}`, text, more)
          return itemOf(section, `i${at}`, text, { ...more, role: 'user' })
        })
        const result = compile(input({ items: own, budget: { windowTokens }, policy: { ...strict, overflow }, layout }))
        const at = stagesOf(result)
        const itemsOf = (stage: string): number => at[stage]?.[0] ?? 0
        const tokens = (stage: string): number => at[stage]?.[1] ?? 0
        expect([itemsOf('collect'), tokens('collect')]).toEqual([own.length, result.manifest.originalTokens])
        for (const [before, after] of [
          ['collect', 'filter'],
          ['filter', 'rank'],
          ['rank', 'compress'],
        ] as const) {
          expect(itemsOf(after)).toBeLessThanOrEqual(itemsOf(before))
          expect(tokens(after)).toBeLessThanOrEqual(tokens(before))
        }
        if (result.pack === undefined) return
        expect(tokens('compress')).toBeLessThanOrEqual(tokens('allocate'))
        expect(itemsOf('assemble')).toBe(itemsOf('compress'))
        expect(tokens('assemble')).toBe(tokens('compress') + (result.manifest.frameTokens ?? 0))
        expect(at['validate']).toEqual([result.pack.entries.length, result.pack.tokens])
        expect(result.pack.tokens).toBeLessThanOrEqual(windowTokens)
      }),
      { numRuns: 200 },
    )
  })

  it('are the same whether somebody watches or not, and told to who watches in that order', () => {
    const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
    const given: CompileInput = input({ items, policy: strict })
    const began: string[] = []
    const watch = { begins: (stage: string) => (began.push(stage), () => undefined) }
    const { stages } = compiler.compile(given, watch).manifest
    expect(stages).toEqual(compiler.compile(given).manifest.stages)
    expect(began).toEqual(['compile', ...(stages ?? []).slice(1).map(({ stage }) => stage)])
  })
})
