import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atLeastRuns } from '../../scripts/property-runs.ts'
import type { CompileInput, CompileResult, Item, Layout, Pack } from '../core/index.ts'
import { overflowPolicies } from '../core/index.ts'
import { evidence, itemOf, sha256, wordTokenizer, words } from './compile-input.fixture.ts'
import { createCompiler } from './create-compiler.ts'
import { policies } from './policy/policies.ts'
import { isHard } from './policy/hard-sections.ts'

const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })

/** Those that leave to the solvers what gives way; whose steps of relief say so are tested beside these. */
const presets = Object.values(policies).filter(({ relief }) => relief === undefined)
const size = 40
const share = (index: number, count: number): number => (index + 1) / (count + 1)

interface Drawn {
  readonly fixedWords: number
  readonly pieces: number
  readonly memories: number
  readonly turns: number
  readonly steps: number
}

/** Evidence, memory, what was said, and results of tools. */
const prefixes = ['e', 'm', 'h', 'r']

/** Items of every tier, in each of which they differ in nothing but what their tier goes by. */
function itemsOf({ fixedWords, pieces, memories, turns, steps }: Drawn): readonly Item[] {
  const rounds = Array.from({ length: turns }, (_, at) => [
    itemOf('history', `h${2 * at}`, words(size, `h${2 * at}x`), { role: 'user' }),
    itemOf('history', `h${2 * at + 1}`, words(size, `h${2 * at + 1}x`), { role: 'assistant' }),
  ]).flat()
  const calls = Array.from({ length: steps }, (_, at) => [
    itemOf('history', `c${at}`, '{}', { kind: 'tool-call', role: 'assistant', group: `g${at}`, toolName: 'read' }),
    itemOf('history', `r${at}`, words(3 * size, `r${at}x`), {
      kind: 'tool-result',
      role: 'tool',
      group: `g${at}`,
      toolName: 'read',
    }),
  ]).flat()
  return [
    itemOf('policy', 'policy', words(fixedWords, 'p'), { role: 'system', kind: 'instruction' }),
    itemOf('role', 'role', words(fixedWords, 'o'), { role: 'developer', kind: 'instruction' }),
    itemOf('task', 'task', words(fixedWords, 't'), { role: 'user' }),
    ...rounds,
    ...calls,
    ...Array.from({ length: pieces }, (_, at) =>
      evidence(`e${at}`, words(size, `e${at}x`), { scores: { relevance: share(at, pieces) } }),
    ),
    ...Array.from({ length: memories }, (_, at) =>
      itemOf('memory', `m${at}`, words(size, `m${at}x`), { scores: { freshness: share(at, memories) } }),
    ),
    itemOf('query', 'query', words(fixedWords, 'q'), { role: 'user' }),
  ]
}

const aCompile = fc.record({
  drawn: fc.record({
    fixedWords: fc.integer({ min: 1, max: 60 }),
    pieces: fc.nat(6),
    memories: fc.nat(6),
    turns: fc.nat(6),
    steps: fc.nat(4),
  }),
  windowTokens: fc.integer({ min: 60, max: 2_500 }),
  maxOutputTokens: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
  overheadTokens: fc.constantFrom(0, 40),
  policy: fc.constantFrom(...presets),
  overflow: fc.constantFrom(...overflowPolicies),
  layout: fc.constantFrom<Layout>('messages', 'payload'),
  rehydration: fc.boolean(),
})

type Drawing = typeof aCompile extends fc.Arbitrary<infer One> ? One : never

function inputOf({
  drawn,
  policy,
  overflow,
  windowTokens,
  maxOutputTokens,
  overheadTokens,
  layout,
  rehydration,
}: Drawing) {
  const budget = { windowTokens, overheadTokens, ...(maxOutputTokens !== undefined && { maxOutputTokens }) }
  const given: CompileInput = { items: itemsOf(drawn), layout, rehydration, budget, policy: { ...policy, overflow } }
  return given
}

const packsOf = ({ outcome, pack }: CompileResult): readonly Pack[] =>
  outcome.kind === 'paginated' ? outcome.pages : pack === undefined ? [] : [pack]

const named = (items: readonly Item[]): ReadonlyMap<string, Item> => new Map(items.map((item) => [item.id, item]))

/** The part of each item that a pack shows, of those whose ids have the prefix and a number, in the order of the numbers. */
function keptOf({ manifest }: CompileResult, prefix: string): readonly number[] {
  const own = manifest.decisions.filter(({ itemId }) => new RegExp(`^${prefix}\\d+$`).test(itemId))
  return own.map(({ tokens, originalTokens }) => tokens / originalTokens)
}

/**
 * The lists in which a later part shows no less than an earlier one. In a conversation that keeps its structure, the words of the model go before those
 * of the user, and the first message of the user, which is the task, goes last.
 */
function orders(
  { layout }: CompileInput,
  prefix: string,
  kept: readonly number[],
): readonly (readonly [string, readonly number[]])[] {
  if (prefix !== 'h' || layout !== 'messages') return [[prefix, kept]]
  return [
    ['user', kept.filter((_, at) => at % 2 === 0).slice(1)],
    ['model', kept.filter((_, at) => at % 2 === 1)],
  ]
}

/** What is not as the tiers have it; undefined where all is. */
function faultOf(given: CompileInput, result: CompileResult): string | undefined {
  const { outcome, manifest } = result
  const packs = packsOf(result)
  const isRefused = outcome.kind === 'budget-exhausted' || outcome.kind === 'split-required'
  if (isRefused !== (packs.length === 0)) return `${outcome.kind} with ${packs.length} packs`
  const { windowTokens, reserveTokens, overheadTokens } = manifest
  const least = Math.max(given.budget.maxOutputTokens ?? 0, Math.floor(given.policy.reserveShare * windowTokens))
  if (reserveTokens < least) return `a reserve of ${reserveTokens}`
  const items = named(given.items)
  const whole = given.items.filter(({ section }) => isHard(given.policy, section))
  const wholeTokens = whole.reduce((sum, { text }) => sum + wordTokenizer.count(text), 0)
  for (const { entries, tokens } of packs) {
    if (tokens + reserveTokens + overheadTokens > windowTokens) return 'over the window'
    const shown = new Map(entries.map(({ itemId, text }) => [itemId, text]))
    const broken = whole.find(({ id, text }) => shown.get(id) !== text)
    if (broken !== undefined) return `${broken.id} is not whole`
    const elastic = entries.filter(({ itemId }) => !whole.some(({ id }) => id === itemId) && items.has(itemId))
    const elasticTokens = elastic.reduce((sum, entry) => sum + entry.tokens, 0)
    if (elasticTokens > windowTokens - reserveTokens - wholeTokens) return 'the elastic tiers take more than is left'
  }
  if (packs.length !== 1) return undefined
  for (const [name, kept] of prefixes.flatMap((prefix) => orders(given, prefix, keptOf(result, prefix)))) {
    if (kept.some((part, at) => part < (kept[at - 1] ?? 0))) return `${name}: ${kept.join(' ')}`
  }
  return undefined
}

describe('P-010: tiers under any pressure', () => {
  it('invariants and what is critical to the task stand whole or nothing is sent; evidence gives way by relevance, memory by age, conversation from its oldest turn; the reserve is never spent', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(aCompile, (drawing) => {
        const given = inputOf(drawing)
        const result = compiler.compile(given)
        expect(faultOf(given, result)).toBeUndefined()
        const parts = prefixes.filter((prefix) => {
          const kept = keptOf(result, prefix)
          return result.pack !== undefined && kept.some((part) => part < 1) && kept.some((part) => part > 0)
        })
        for (const what of [
          result.outcome.kind,
          given.policy.id,
          ...parts.map((prefix) => `${drawing.layout} ${prefix}`),
        ])
          seen.set(what, (seen.get(what) ?? 0) + 1)
      }),
      { numRuns: 5_000, seed: 10, plugins: [atLeastRuns(1_500)] },
    )
    const kinds = ['ok', 'retrieval-pending', 'paginated', 'split-required', 'budget-exhausted']
    const partly = ['payload', 'messages'].flatMap((layout) => prefixes.map((prefix) => `${layout} ${prefix}`))
    for (const what of [...kinds, ...presets.map(({ id }) => id), ...partly])
      expect([what, seen.get(what) ?? 0]).toEqual([what, expect.toSatisfy((count: number) => count > 4)])
  }, 120_000)
})
