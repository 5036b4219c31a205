import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atLeastRuns } from '../../../scripts/property-runs.ts'
import type { CompileInput, CompileResult, Item } from '../../core/index.ts'
import { isPrehendError, overflowPolicies } from '../../core/index.ts'
import { createCompiler } from '../create-compiler.ts'
import { evidence, input, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'

const sections = ['policy', 'task', 'evidence', 'evidence', 'memory', 'situation', 'history', 'history'] as const

const anItem = fc.record({
  section: fc.constantFrom(...sections),
  size: fc.nat(90),
  pin: fc.boolean(),
  relevance: fc.option(fc.constantFrom(0.1, 0.5, 0.9), { nil: undefined }),
  same: fc.nat(9),
})

function itemsOf(drawn: readonly (typeof anItem extends fc.Arbitrary<infer One> ? One : never)[]): readonly Item[] {
  return drawn.map(({ section, size, pin, relevance, same }, index) => {
    const more = {
      ...(pin && size < 12 && { pin }),
      ...(relevance !== undefined && { scores: { relevance } }),
      ...(section === 'history' && { role: index % 2 === 0 ? ('user' as const) : ('assistant' as const) }),
    }
    const text = words(
      size % (section === 'policy' || section === 'task' ? 15 : 100),
      same === 0 ? 'same' : `i${index}x`,
    )
    return section === 'evidence' ? evidence(`i${index}`, text, more) : itemOf(section, `i${index}`, text, more)
  })
}

const aCompile = fc.record({
  drawn: fc.array(anItem, { maxLength: 9 }),
  windowTokens: fc.integer({ min: 1, max: 700 }),
  maxOutputTokens: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
  overheadTokens: fc.constantFrom(0, 0, 40),
  overflow: fc.constantFrom(...overflowPolicies),
  layout: fc.constantFrom('payload', 'payload', 'messages'),
  rehydration: fc.boolean(),
})

const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })

/** What of a compile is not as it must be; undefined where all is. */
function faultOf(given: CompileInput, { outcome, pack, manifest, budget }: CompileResult): string | undefined {
  const told = new Map(manifest.decisions.map((decision) => [decision.itemId, decision]))
  const events = new Set(manifest.truncations.flatMap(({ itemIds }) => itemIds))
  if (given.items.some(({ id }) => !told.has(id))) return 'an item without a decision'
  const packs = outcome.kind === 'paginated' ? outcome.pages : pack === undefined ? [] : [pack]
  const refused = outcome.kind === 'budget-exhausted' || outcome.kind === 'split-required'
  if (refused !== (packs.length === 0)) return `${outcome.kind} with ${packs.length} packs`
  for (const { tokens } of packs)
    if (tokens + budget.reserveTokens + budget.overheadTokens > given.budget.windowTokens) return 'over the window'
  for (const { id, text } of given.items) {
    const decision = told.get(id)
    const shown = pack?.entries.find(({ itemId }) => itemId === id)
    const isWhole = shown !== undefined && shown.text === text
    if (isWhole !== (decision?.rung === 'full') && text !== '') return `${id} is told as ${decision?.rung}`
    if (!isWhole && text !== '' && decision?.rung !== 'lossless' && !events.has(id))
      return `${id} is cut without an event`
  }
  return undefined
}

describe('the hard limit', () => {
  it('N-28, P-003, P-033: over ten thousand compiles, of which `npm test` makes 1,500, nothing exceeds the window with its reserve, and nothing is cut without being said', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(
        aCompile,
        ({ drawn, windowTokens, maxOutputTokens, overheadTokens, overflow, layout, rehydration }) => {
          const given = input({
            items: itemsOf(drawn),
            layout,
            rehydration,
            budget: { windowTokens, overheadTokens, ...(maxOutputTokens !== undefined && { maxOutputTokens }) },
            policy: { ...careful, overflow },
          })
          const result = compiler.compile(given)
          seen.set(result.outcome.kind, (seen.get(result.outcome.kind) ?? 0) + 1)
          expect(faultOf(given, result)).toBeUndefined()
        },
      ),
      { numRuns: 10_000, plugins: [atLeastRuns(1_500)] },
    )
    for (const kind of ['ok', 'retrieval-pending', 'split-required', 'paginated', 'budget-exhausted'])
      expect([kind, seen.get(kind) ?? 0]).toEqual([kind, expect.toSatisfy((count: number) => count > 0)])
  }, 120_000)
})

describe('fixed tiers that exceed the window', () => {
  const layouts = ['payload', 'messages'] as const
  const cases = layouts.flatMap((layout) => overflowPolicies.map((overflow) => [overflow, layout] as const))
  const instead = (items: readonly Item[], [overflow, layout]: (typeof cases)[number], windowTokens = 300) => {
    try {
      return compiler.compile(input({ items, layout, budget: { windowTokens }, policy: { ...careful, overflow } }))
    } catch (error) {
      return isPrehendError(error) ? error.code : error
    }
  }

  it.each(cases)('B-48: end in a typed outcome, not in nothing or in an error: %s, %s', (overflow, layout) => {
    const items = [itemOf('policy', 'p', words(900)), itemOf('history', 'h', 'Go on.', { role: 'user' })]
    const ended = instead(items, [overflow, layout])
    expect(ended).toMatchObject({ outcome: { kind: 'budget-exhausted', neededTokens: expect.any(Number) as number } })
  })

  it.each(layouts)('B-42: what shortening cannot make fit ends as the overflow policy asks: %s', (layout) => {
    const items = [itemOf('history', 'h', words(100), { role: 'user', pin: true }), evidence('e', words(400))]
    const ended = (overflow: (typeof overflowPolicies)[number]) =>
      (instead(items, [overflow, layout], 480) as CompileResult).outcome.kind
    expect(ended('fail-loud')).toBe('budget-exhausted')
    expect(ended('defer-retrieval')).toBe('retrieval-pending')
    expect(ended('cascade-compress')).toBe('ok')
  })
})
