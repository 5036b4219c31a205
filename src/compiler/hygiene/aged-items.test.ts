import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, HygienePolicy, Item, StalenessSignal } from '../../core/index.ts'
import { compile, evidence, input, itemOf, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { relevanceAt } from './aged-items.ts'

const said = (id: string, birthTurn: number, text: string): Item =>
  itemOf('history', id, text, { role: 'assistant', birthTurn })

const did = (id: string, birthTurn: number, args: object, status: 'ok' | 'error' = 'ok'): readonly Item[] => {
  const own = { section: 'history', toolName: 'bash', toolCallId: id, group: id, birthTurn } as const
  return [
    { ...own, id: `${id}.call`, kind: 'tool-call', role: 'assistant', text: JSON.stringify(args) },
    { ...own, id: `${id}.result`, kind: 'tool-result', role: 'tool', text: `result of ${id}`, status },
  ]
}

const packed = (items: readonly Item[], hygiene: HygienePolicy, more: Partial<CompileInput> = {}): CompileResult =>
  compile(input({ items, policy: { ...careful, id: 'tidy', hygiene }, ...more }))

const staleIn = ({ manifest }: CompileResult): Readonly<Record<string, readonly StalenessSignal[]>> =>
  Object.fromEntries((manifest.stale ?? []).map(({ itemId, signals }) => [itemId, signals]))

describe('P-058: an item is stale', () => {
  const old = evidence('source-1', 'A fact.', { birthTurn: 1 })

  it('by age, once more turns have gone by than the policy says', () => {
    expect(staleIn(packed([old, said('now', 5, 'Go on.')], { staleAfter: 3 }))).toEqual({ 'source-1': ['age'] })
    expect(staleIn(packed([old, said('now', 4, 'Go on.')], { staleAfter: 3 }))).toEqual({})
  })

  it('by lack of references, until it is named again', () => {
    const hygiene = { unusedFor: 3 }
    expect(staleIn(packed([old, said('now', 9, 'Go on.')], hygiene))).toMatchObject({ 'source-1': ['unused'] })
    const named = [old, said('then', 7, 'As source-1 says.'), said('now', 9, 'Go on.')]
    expect(staleIn(packed(named, hygiene))['source-1']).toBeUndefined()
  })

  it('by supersession: a newer copy of the same place, or the same command run again', () => {
    const hygiene = { superseded: true }
    const place = (id: string, birthTurn: number, uri = 'file://a') =>
      evidence(id, `As of ${birthTurn}.`, { birthTurn, provenance: { sourceId: id, uri } })
    const items = [place('new', 4), place('old', 2), place('other', 1, 'file://b')]
    expect(staleIn(packed(items, hygiene))).toEqual({ old: ['superseded'] })
    const runs = [...did('a', 1, { command: 'npm test' }), ...did('b', 2, { command: 'npm test' }), said('s', 3, 'So.')]
    expect(staleIn(packed(runs, hygiene))).toEqual({ 'a.result': ['superseded'] })
  })

  it('by a change of phase, as the calls of the conversation show it', () => {
    const edit = { command: 'str_replace', path: 'src/a.ts', old_str: 'one', new_str: 'two' }
    const items = [old, ...did('look', 2, { command: 'ls' }), ...did('edit', 4, edit), said('s', 5, 'So.')]
    expect(Object.keys(staleIn(packed(items, { phaseChange: true })))).toEqual(['source-1', 'look.call', 'look.result'])
    expect(staleIn(packed(items.slice(0, 3), { phaseChange: true }))).toEqual({})
  })

  it('by an error that voids it: an edit of what was shown has failed', () => {
    const edit = { path: 'src/a.ts', old_str: 'one', new_str: 'two' }
    const items = [...did('v', 1, { path: 'src/a.ts' }), ...did('e', 2, edit, 'error'), said('s', 3, 'So.')]
    expect(staleIn(packed(items, { voided: true }))).toEqual({ 'v.result': ['voided'] })
    expect(staleIn(packed(items, { superseded: true }))).toEqual({})
  })

  it('and instructions, tools and what is asked never are', () => {
    const items = [itemOf('policy', 'p', 'Never.', { birthTurn: 0 }), said('now', 90, 'Go on.')]
    expect(staleIn(packed(items, { staleAfter: 1 }))).toEqual({})
  })
})

it('what is stale is worth less, and the receipt says how much is left', () => {
  const items = [evidence('old', 'A fact.', { birthTurn: 1, scores: { relevance: 0.8 } }), said('now', 5, 'Go on.')]
  const hygiene = { staleAfter: 3, staleWorth: 0.5, decay: { evidence: { model: 'exponential', rate: 0.1 } } } as const
  const { manifest } = packed(items, hygiene)
  const left = 0.5 * Math.exp(-0.4)
  expect(manifest.stale).toEqual([{ itemId: 'old', signals: ['age'], relevance: 0.8 * left }])
  expect(relevanceAt(items[0]!, hygiene, { turn: 5 })).toBeCloseTo(0.8 * left, 12)
  const score = (result: CompileResult): number => result.manifest.decisions[0]?.score ?? 0
  expect(score(packed(items, hygiene))).toBeCloseTo(score(packed(items, {})) * left, 10)
})

describe('P-056: eviction', () => {
  const decay = { usual: { model: 'exponential', rate: 0.2 } } as const
  const about = (id: string, birthTurn: number, tokens: number, more: Partial<Item> = {}) => ({
    ...itemOf(more.section ?? 'memory', id, words(tokens, id), { birthTurn, ...more }),
  })
  const items: readonly Item[] = [
    about('old-large', 1, 300),
    about('old-small', 1, 60),
    about('new-large', 19, 300),
    about('pinned', 1, 200, { pin: true }),
    evidence('e-old', words(200, 'eo'), { birthTurn: 2 }),
    evidence('e-new', words(200, 'en'), { birthTurn: 20 }),
    ...Array.from({ length: 4 }, (_, at) => [
      about(`q${at}`, 4 + at, 20, { section: 'history', role: 'user' }),
      about(`a${at}`, 4 + at, 150 - 40 * at, { section: 'history', role: 'assistant' }),
    ]).flat(),
    about('ask', 20, 10, { section: 'history', role: 'user' }),
  ]
  const evicted = (windowTokens: number): CompileResult =>
    packed(
      items,
      { decay },
      { budget: { windowTokens }, policy: { ...careful, id: 'evicting', relief: ['evict-stale'], hygiene: { decay } } },
    )
  const out = ({ manifest }: CompileResult): readonly string[] =>
    manifest.decisions.filter(({ rung }) => rung === 'omitted').map(({ itemId }) => itemId)

  it('takes memory, evidence and history by irrelevance times cost, until the window fits; pinned ones never', () => {
    const seen: string[] = []
    for (const windowTokens of [2_400, 2_000, 1_700, 1_500, 1_350, 1_200, 1_050, 900]) {
      const result = evicted(windowTokens)
      expect(result.outcome.kind).toBe('ok')
      expect(result.pack?.tokens ?? 0).toBeLessThanOrEqual(result.budget.windowTokens - result.budget.reserveTokens)
      for (const id of out(result)) if (!seen.includes(id)) seen.push(id)
    }
    expect(new Set(seen.slice(0, 5))).toEqual(new Set(['old-large', 'new-large', 'old-small', 'e-old', 'e-new']))
    expect(seen.indexOf('old-large')).toBe(0)
    expect(seen.indexOf('e-old')).toBeGreaterThan(seen.indexOf('old-small'))
    expect(seen).not.toContain('pinned')
    expect(seen.some((id) => id.startsWith('a'))).toBe(true)
    expect(seen).not.toContain('ask')
  })

  it('takes what is large before what is staler and small, and what is staler before what is a little larger', () => {
    const firstOut = (pair: readonly Item[]): string | undefined => {
      for (let windowTokens = 1_500; windowTokens > 600; windowTokens -= 20) {
        const [gone] = out(
          packed(
            [...pair, about('ask', 20, 10, { section: 'history', role: 'user' })],
            { decay },
            {
              budget: { windowTokens },
              policy: { ...careful, id: 'evicting', relief: ['evict-stale'], hygiene: { decay } },
            },
          ),
        )
        if (gone !== undefined) return gone
      }
      return undefined
    }
    expect(firstOut([about('stale-small', 1, 60), about('fresher-large', 17, 500)])).toBe('fresher-large')
    expect(firstOut([about('fresher', 19, 310), about('stale', 1, 250)])).toBe('stale')
  })

  it('goes to the archive: each has a handle and a reason', () => {
    const { manifest } = evicted(1_350)
    const gone = manifest.decisions.filter(({ rung }) => rung === 'omitted')
    expect(gone.length).toBeGreaterThan(2)
    for (const one of gone) expect(one).toMatchObject({ handle: expect.any(String), reason: 'pressure' })
    expect(new Set(manifest.relief?.steps.map(({ step }) => step))).toEqual(new Set(['evict-stale']))
  })
})
