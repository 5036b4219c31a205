import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompileResult, HygienePolicy, Item } from '../../core/index.ts'
import { compile, evidence, input, itemOf, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'

const lines = (count: number, name: string): string =>
  Array.from({ length: count }, (_, index) => words(10, `${name}x${index}y`)).join('\n')

const found = (count: number, tokens = 100): readonly Item[] =>
  Array.from({ length: count }, (_, at) =>
    evidence(`e${at}`, lines(tokens / 10, `e${at}`), { scores: { relevance: 1 - at / count } }),
  )

const packed = (items: readonly Item[], windowTokens: number, hygiene: HygienePolicy = {}): CompileResult =>
  compile(
    input({ items, budget: { windowTokens }, policy: { ...careful, id: 'disclosing', relief: 'disclosure', hygiene } }),
  )

const rungs = ({ manifest }: CompileResult): readonly string[] => manifest.decisions.map(({ rung }) => rung)

/** Tokens of a pack once each item was added, in order. */
function cumulative({ manifest }: CompileResult): readonly number[] {
  let sum = manifest.frameTokens ?? 0
  return manifest.decisions.map(({ tokens }) => (sum += tokens))
}

describe('progressive disclosure', () => {
  const result = packed(found(30), 2_400)
  const available = result.budget.windowTokens - result.budget.reserveTokens

  it('V-024: what is worth most stands whole up to 70% of the budget, then one line each up to 95%, the rest within reach', () => {
    const shown = rungs(result)
    const whole = shown.lastIndexOf('full')
    const line = shown.lastIndexOf('line')
    expect(shown).toEqual([
      ...Array<string>(whole + 1).fill('full'),
      ...Array<string>(line - whole).fill('line'),
      ...Array<string>(shown.length - line - 1).fill('omitted'),
    ])
    expect([whole > 3, line > whole + 2, line < 29]).toEqual([true, true, true])
    const sums = cumulative(result)
    const share = (at: number): number => (sums[at] ?? 0) / available
    expect(share(whole)).toBeLessThanOrEqual(0.7)
    expect(share(whole) + 110 / available).toBeGreaterThan(0.7)
    expect(share(line - 1)).toBeLessThan(0.95)
    expect(share(line)).toBeGreaterThan(0.9)
    for (const { rung, handle } of result.manifest.decisions) if (rung !== 'full') expect(handle).toBeDefined()
    expect(result.manifest.omissions?.[0]?.items).toBe(29 - line)
  })

  it('V-024: everything stands whole where it takes less than 70%, and a policy has figures of its own', () => {
    expect(new Set(rungs(packed(found(8), 2_400)))).toEqual(new Set(['full']))
    const own = packed(found(30), 2_400, { disclosure: { full: 0.3, line: 0.5 } })
    expect(rungs(own).filter((rung) => rung === 'full').length).toBeLessThan(
      rungs(result).filter((rung) => rung === 'full').length,
    )
  })

  it('B-34: a line is added only where it still fits all of the budget', () => {
    // Lines of many tokens: one that begins below 95% would pass the end.
    const long = Array.from({ length: 30 }, (_, at) =>
      evidence(`e${at}`, `${words(55, `first${at}y`)}\n${lines(60, `e${at}`)}`, { scores: { relevance: 1 - at / 30 } }),
    )
    let refused = 0
    for (let windowTokens = 1_000; windowTokens < 1_800; windowTokens += 35) {
      const { manifest, budget } = packed(long, windowTokens)
      const room = budget.windowTokens - budget.reserveTokens
      expect(manifest.packTokens).toBeLessThanOrEqual(room)
      const first = manifest.decisions.find(({ rung }) => rung === 'omitted')
      if (first !== undefined && manifest.packTokens < 0.95 * room) refused += 1
    }
    expect(refused).toBeGreaterThan(0)
  })

  it('B-34, V-024: never takes more than there is, whatever the items', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 300, max: 4_000 }), (counts, windowTokens) => {
        const items = counts.map((count, at) => itemOf('memory', `m${at}`, lines(count, `m${at}`)))
        const { pack, budget } = packed(items, windowTokens)
        expect(pack?.tokens ?? 0).toBeLessThanOrEqual(budget.windowTokens - budget.reserveTokens)
      }),
      { numRuns: 30 },
    )
  })
})
