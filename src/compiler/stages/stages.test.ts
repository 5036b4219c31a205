import { describe, expect, it } from 'vitest'
import type { CompileInput, Item, Policy } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { compile, evidence, input, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful, policies } from '../policy/policies.ts'
import { compositeScore } from './rank-rules.ts'

const fates = (items: readonly Item[], changes: Partial<CompileInput> = {}) =>
  Object.fromEntries(
    compile(input({ items, ...changes })).manifest.decisions.map(({ itemId, rung, reason }) => [
      itemId,
      `${rung}: ${reason}`,
    ]),
  )

const errorOf = (given: CompileInput): unknown => {
  try {
    compile(given)
  } catch (error) {
    return isPrehendError(error) ? { code: error.code, ...error.data } : error
  }
  return undefined
}

describe('the stages in order', () => {
  it('ranks before it compresses, spends nothing on what is filtered, and lays out last', () => {
    const order: string[] = []
    const note = (stage: string): void => void (order.at(-1) !== stage && order.push(stage))
    const compiler = createCompiler({
      tokenizer: wordTokenizer,
      hash: sha256,
      scorer() {
        note('rank')
        return undefined
      },
      ladders(item, { count }) {
        note('compress')
        return [{ rung: 'full', text: item.text, tokens: count(item.text), fidelity: 1 }]
      },
    })
    const items = Array.from({ length: 30 }, (_, index) => evidence(`e${index}`, words(100, `e${index}x`)))
    const twice = evidence('again', words(100, 'e0x'))
    const result = compiler.compile(input({ items: [...items, twice], budget: { windowTokens: 2_000 } }))
    expect(order).toEqual(['rank', 'compress'])
    expect(result.manifest.decisions.at(-1)?.reason).toBe('duplicate')
    expect(result.manifest.sections.find(({ section }) => section === 'evidence')?.allocatedTokens).toBeLessThan(1_800)
    expect(result.pack?.messages.at(-1)?.role).toBe('user')
  })

  it('a compile is synchronous and changes nothing that it is given', () => {
    const given = input({ items: [evidence('e', words(5_000)), itemOf('memory', 'm', words(900))] })
    const copy = structuredClone(given)
    const result = compile(given)
    expect(result).not.toBeInstanceOf(Promise)
    expect(given).toEqual(copy)
  })
})

describe('filter', () => {
  const floors: Policy = { ...careful, floors: { relevance: 0.4, freshness: 0.3, authority: 0.2 } }
  const scored = (id: string, scores: NonNullable<Item['scores']>, more: Partial<Item> = {}) =>
    evidence(id, `Fact ${id}.`, { scores, ...more })

  it('P-021: below a floor of relevance, freshness or authority, evidence is left out; unknown scores pass', () => {
    const items = [
      scored('irrelevant', { relevance: 0.39 }),
      scored('relevant', { relevance: 0.4 }),
      scored('stale', { freshness: 0.1 }),
      scored('doubtful', { authority: 0.1 }),
      evidence('unknown', 'Unknown.'),
      evidence('weak source', 'Weak.', { provenance: { sourceId: 's', authorityScore: 0.1 } }),
    ]
    expect(fates(items, { policy: floors })).toEqual({
      'irrelevant': 'omitted: below-floor',
      'relevant': 'full: fits',
      'stale': 'omitted: below-floor',
      'doubtful': 'omitted: below-floor',
      'unknown': 'full: fits',
      'weak source': 'omitted: below-floor',
    })
  })

  it('P-021: stale memory has expired; conversation and pinned items pass every floor', () => {
    const low = { scores: { relevance: 0.1, freshness: 0.1, authority: 0.1 } }
    const items = [
      itemOf('memory', 'stale', 'Old.', { scores: { freshness: 0.1 } }),
      itemOf('history', 'said', 'Said.', low),
      itemOf('memory', 'pinned', 'Pinned.', { ...low, pin: true }),
    ]
    expect(fates(items, { policy: floors })).toEqual({
      stale: 'omitted: expired',
      said: 'full: fits',
      pinned: 'full: pinned',
    })
  })

  it('what was said twice in a conversation was meant twice; the same evidence stands once', () => {
    const items = [
      evidence('first', 'Same.'),
      evidence('second', 'Same.'),
      itemOf('history', 'h0', 'Same.', { role: 'user' }),
      itemOf('history', 'h1', 'Same.', { role: 'user' }),
    ]
    expect(fates(items)).toEqual({
      first: 'full: fits',
      second: 'omitted: duplicate',
      h0: 'full: fits',
      h1: 'full: fits',
    })
  })

  it('a group lives or dies as a whole, across sections too', () => {
    const items = [
      scored('a', { relevance: 0.9 }, { group: 'g' }),
      itemOf('memory', 'b', 'Low.', { scores: { relevance: 0.1 }, group: 'g' }),
      scored('c', { relevance: 0.9 }),
    ]
    expect(fates(items, { policy: floors })).toEqual({
      a: 'omitted: group',
      b: 'omitted: below-floor',
      c: 'full: fits',
    })
  })
})

describe('rank', () => {
  it('weighted mean of what is known; what is unknown has no say', () => {
    const weights = { relevance: 0.5, authority: 0.3, freshness: 0.2, utility: 0, thrift: 0 }
    const score = (scores: NonNullable<Item['scores']>) => compositeScore(evidence('e', '', { scores }), 10, weights)
    expect(score({ relevance: 1, authority: 0.5, freshness: 0 })).toBeCloseTo(0.65, 10)
    expect(score({ relevance: 0.8 })).toBeCloseTo(0.8, 10)
    expect(score({ authority: 1, freshness: 0 })).toBeCloseTo(0.6, 10)
    expect(score({})).toBe(0.5)
  })

  it('P-023: with all else equal the smaller item ranks higher where thrift counts', () => {
    const weights = { relevance: 1, authority: 0, freshness: 0, utility: 0, thrift: 0.2 }
    const score = (tokens: number) => compositeScore(evidence('e', '', { scores: { relevance: 0.5 } }), tokens, weights)
    expect(score(10)).toBeGreaterThan(score(1_000))
  })

  it('X-32: a scorer of the caller decides what is kept', () => {
    const items = Array.from({ length: 10 }, (_, index) =>
      evidence(`e${index}`, words(200, `e${index}x`), { scores: { relevance: 1 - index / 10 } }),
    )
    const compiler = createCompiler({
      tokenizer: wordTokenizer,
      hash: sha256,
      scorer: ({ id }) => (id === 'e9' ? 1 : 0.01),
    })
    const { pack } = compiler.compile(input({ items, budget: { windowTokens: 1_000 }, rehydration: false }))
    expect(pack?.entries.map(({ itemId }) => itemId)).toContain('e9')
    const usual = compile(input({ items, budget: { windowTokens: 1_000 }, rehydration: false }))
    expect(usual.pack?.entries.map(({ itemId }) => itemId)).not.toContain('e9')
  })
})

describe('allocate and compress', () => {
  it('P-038, X-13: minimum and maximum of a section in the request win over the policy', () => {
    const items = [
      ...Array.from({ length: 20 }, (_, index) => evidence(`e${index}`, words(100, `e${index}x`))),
      ...Array.from({ length: 20 }, (_, index) => itemOf('memory', `m${index}`, words(100, `m${index}x`))),
    ]
    const sections = [
      { section: 'evidence', max: 300 },
      { section: 'memory', min: 900 },
    ]
    const { manifest } = compile(input({ items, budget: { windowTokens: 2_000, sections } }))
    const of = (name: string) => manifest.sections.find(({ section }) => section === name)
    expect(of('evidence')?.usedTokens).toBeLessThanOrEqual(300)
    expect(of('evidence')?.usedTokens).toBeGreaterThan(100)
    expect(of('memory')?.allocatedTokens).toBeGreaterThanOrEqual(900)
  })

  it('P-010, A-031: of a conversation the newest stays whole and the oldest goes first, pairs together', () => {
    const pair = (turn: number): readonly Item[] => [
      itemOf('history', `call${turn}`, words(10), { kind: 'tool-call', toolName: 'bash', group: `g${turn}` }),
      itemOf('history', `result${turn}`, words(100, `r${turn}x`), {
        kind: 'tool-result',
        toolName: 'bash',
        group: `g${turn}`,
      }),
    ]
    const items = Array.from({ length: 12 }, (_, turn) => pair(turn)).flat()
    const { manifest } = compile(input({ items, budget: { windowTokens: 1_000 }, rehydration: false }))
    const shown = manifest.decisions.map(({ rung }) => rung !== 'omitted')
    expect(shown.indexOf(true) % 2).toBe(0)
    expect(shown.indexOf(true)).toBeGreaterThan(0)
    expect(shown.slice(shown.indexOf(true))).not.toContain(false)
  })

  it('A-057: instructions and step go before tools, and those before evidence, memory and conversation', () => {
    const items = [
      itemOf('policy', 'rule', 'Never push.', { kind: 'instruction', role: 'system' }),
      ...['grep', 'bash'].map((name) =>
        itemOf('tools', name, '{"type":"object"}', { kind: 'tool-schema', toolName: name }),
      ),
      evidence('seen', words(60, 'seen')),
      itemOf('memory', 'known', words(60, 'known')),
      itemOf('history', 'said', words(60, 'said'), { role: 'user' }),
    ]
    const step = { request: 'Go on.', step: 'Find the change.', acceptance: ['Names it.'] }
    const last: string[][] = []
    for (let windowTokens = 600; windowTokens > 20; windowTokens -= 5) {
      const { manifest, pack } = compile(input({ items, frame: step, budget: { windowTokens } }))
      if (pack === undefined) break
      for (const text of [step.step, ...step.acceptance]) expect(pack.messages.at(-1)?.text).toContain(text)
      last.push(manifest.decisions.filter(({ rung }) => rung === 'full').map(({ itemId }) => itemId))
    }
    expect(last[0]).toHaveLength(6)
    expect(last).toContainEqual(['rule', 'grep', 'bash'])
    expect(last.at(-1)).toEqual(['rule'])
    for (const whole of last) {
      expect(whole).toContain('rule')
      if (whole.some((id) => ['seen', 'known', 'said'].includes(id)))
        expect(whole).toEqual(expect.arrayContaining(['grep', 'bash']))
    }
  })

  it('A-057: where everything fits nothing is compressed', () => {
    const items = [
      evidence('e', `{ "a":   1,\n   "b": [ 1, 2 ] }\n${'x '.repeat(200)}`),
      itemOf('memory', 'm', words(90)),
    ]
    const { manifest } = compile(input({ items, budget: { windowTokens: 5_000 } }))
    expect(manifest.decisions.map(({ rung }) => rung)).toEqual(['full', 'full'])
    expect(manifest.truncations).toEqual([])
  })
})

describe('validate', () => {
  it('P-026: a pack in which nothing says what is to be done is refused', () => {
    const { frame: _, ...bare } = input({ items: [evidence('e', 'A fact.')] })
    expect(errorOf(bare)).toMatchObject({ code: 'compile-assertion', assertion: 'task-present' })
    expect(errorOf({ ...bare, items: [itemOf('task', 't', 'Go on.')] })).toBeUndefined()
    expect(errorOf({ ...bare, items: [itemOf('query', 'q', 'Why?')] })).toBeUndefined()
  })

  it('P-026, A-029: a policy may insist on parts, and the error names those that are missing', () => {
    const policy: Policy = { ...careful, requires: ['policy', 'acceptance', 'step', 'evidence', 'goal'] }
    const error = errorOf(input({ policy, items: [itemOf('policy', 'p', 'Be brief.')] }))
    expect(error).toMatchObject({ code: 'compile-assertion', assertion: 'required-parts' })
    expect((error as { readonly remedy: string }).remedy).toBe(
      'Missing: acceptance, step, evidence, goal. Give them, ask the planner for them, or split the step.',
    )
  })

  const origin = {
    sourceId: 's',
    retrievedAt: '2026-01-02T03:04:05Z',
    authorityScore: 0.5,
    relevanceScore: 0.5,
    span: [0, 7],
    lineage: 'query 1',
  } as const
  const { provenance: _, ...anonymous } = evidence('anonymous', 'A rumour.')
  const asking = (provenance?: Policy['provenance']): Policy => {
    const { provenance: _careful, ...silent } = careful
    return provenance === undefined ? silent : { ...silent, provenance }
  }

  it.each(['payload', 'messages'] as const)(
    'P-013: in layout %s, evidence that leaves out any part of its origin is refused, in whatever section',
    (layout) => {
      const told = input({ layout, policy: asking(), items: [evidence('e', 'A fact.', { provenance: origin })] })
      expect(compile(told).manifest.provenance).toEqual({ required: 'full', coverage: 1 })
      expect(errorOf({ ...told, items: [anonymous] })).toMatchObject({ field: 'items[0].provenance' })
      for (const name of ['retrievedAt', 'authorityScore', 'relevanceScore', 'span', 'lineage'] as const) {
        const { [name]: _left, ...rest } = origin
        const field = `items[0].provenance.${name}`
        const partial = evidence('e', 'A fact.', { provenance: rest, section: 'memory' })
        expect(errorOf({ ...told, items: [partial] })).toMatchObject({ field })
      }
      for (const vague of [{ retrievedAt: 'lately' }, { lineage: ' ' }, { span: [7, 0] as const }]) {
        const items = [evidence('e', 'A fact.', { provenance: { ...origin, ...vague } })]
        expect(errorOf({ ...told, items })).toMatchObject({ field: `items[0].provenance.${Object.keys(vague)[0]}` })
      }
    },
  )

  it.each(Object.values(policies))(
    'N-22: under policy $id, every piece of evidence in a pack names its origin, and the receipt how much of it',
    (policy) => {
      expect(errorOf(input({ policy, items: [anonymous] }))).toMatchObject({ field: 'items[0].provenance' })
      const told = { provenance: { ...origin, uri: 'https://wiki.example/monday' } }
      const { manifest, pack } = compile(
        input({
          policy,
          items: [itemOf('policy', 'p', 'Be brief.'), evidence('e', 'It broke.', told)],
          frame: { goal: 'A green build', step: 'Find it', acceptance: ['Names one'], request: 'What broke?' },
        }),
      )
      const shown = pack?.entries.filter(({ section }) => section === 'evidence') ?? []
      const text = pack?.messages.map((message) => message.text).join('\n') ?? ''
      expect(shown).toHaveLength(1)
      expect(text).toMatch(/wiki\.example\/monday[^\n]*\n?[^\n]*It broke\./)
      expect(manifest.provenance?.coverage).toBe(1)
      expect(manifest.provenance?.anonymousIds).toBeUndefined()
    },
  )

  it('P-013: a policy that asks for less says so in the receipt, with what the evidence does say', () => {
    const items = [evidence('whole', 'A fact.', { provenance: origin }), evidence('named', 'Another.')]
    const receiptOf = (policy: Policy, given = items) => compile(input({ policy, items: given })).manifest.provenance
    expect(receiptOf(asking('source'))).toEqual({ required: 'source', coverage: 7 / 12 })
    expect(errorOf(input({ policy: asking('source'), items: [anonymous] }))).toMatchObject({
      field: 'items[0].provenance',
    })
    expect(receiptOf(asking('none'), [...items, anonymous])).toEqual({
      required: 'none',
      coverage: 7 / 18,
      anonymousIds: ['anonymous'],
    })
    expect(receiptOf(asking(), [itemOf('memory', 'm', 'I forgot.')])).toBeUndefined()
  })

  it('bad input is an error that names its field', () => {
    const bad: Readonly<Record<string, Record<string, unknown>>> = {
      'items': { items: null },
      'items[0].id': { items: [{ section: 'evidence' }] },
      'items[1].id': { items: [itemOf('memory', 'a', 'x'), itemOf('memory', 'a', 'y')] },
      'items[0].kind': { items: [itemOf('memory', 'a', 'x', { kind: 'novel' as 'text' })] },
      'items[0].scores.relevance': { items: [itemOf('memory', 'a', 'x', { scores: { relevance: Number.NaN } })] },
      'items[0].tokens': { items: [itemOf('memory', 'a', 'x', { tokens: -4 })] },
      'items[0].group': { items: [itemOf('memory', 'a', 'x', { group: '' })] },
      'budget.windowTokens': { budget: { windowTokens: 1e300 } },
      'budget.maxOutputTokens': { budget: { windowTokens: 10, maxOutputTokens: -1 } },
      'budget.sections[0].min': { budget: { windowTokens: 100, sections: [{ section: 'evidence', min: 9, max: 3 }] } },
      'budget.sections[0].weight': { budget: { windowTokens: 100, sections: [{ section: 'evidence', weight: 7 }] } },
      'policy.overflow': { policy: { ...careful, overflow: 'hope' } },
      'policy.shares[0].max': { policy: { ...careful, shares: [{ section: 'evidence', min: 0, max: 2, weight: 1 }] } },
      'layout': { layout: 'sideways' },
      'frame.request': { frame: { request: 3 } },
      'frame.state.objective': { frame: { request: '', state: { phase: 'act' } } },
      'frame.state.phase': { frame: { request: '', state: { objective: 'x', phase: 'asleep' } } },
      'frame.state.subtasks[0]': { frame: { request: '', state: { objective: 'x', phase: 'act', subtasks: [null] } } },
      'frame.state.pending[0]': { frame: { request: '', state: { objective: 'x', phase: 'act', pending: [3] } } },
      'signals.risk': { signals: { risk: 'extreme' } },
      'ledger.schema': { ledger: { schema: 'prehend.ledger/0' } },
      'prices.read': { prices: { read: -1, write: 1, minTokens: 0, ttlMs: 0 } },
      'nowMs': { nowMs: Number.NaN },
      'rehydration': { rehydration: 'maybe' },
    }
    const found = Object.entries(bad).map(([field, change]) => [
      field,
      (errorOf({ ...input(), ...change }) as { readonly field?: string } | undefined)?.field,
    ])
    expect(found).toEqual(Object.keys(bad).map((field) => [field, field]))
  })
})
