import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item, Pack } from '../../core/index.ts'
import { overflowPolicies, pageNoteId, pageNoteText } from '../../core/index.ts'
import { availableTokens } from '../budget/resolve-budget.ts'
import { evidence, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { isIntact } from '../receipt/pack-hash.ts'
import { careful } from '../policy/policies.ts'

const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })

const call = (id: string, size: number): readonly Item[] => [
  itemOf('history', `${id}.call`, '{}', { kind: 'tool-call', role: 'assistant', group: id, toolName: 'read' }),
  itemOf('history', `${id}.result`, words(size, id), {
    kind: 'tool-result',
    role: 'tool',
    group: id,
    toolName: 'read',
  }),
]

const rules = itemOf('policy', 'rules', 'Be brief.', { role: 'system', kind: 'instruction' })
const task = itemOf('query', 'task', 'Find the change.', { role: 'user' })
const conversation = (sizes: readonly number[]): readonly Item[] => [
  rules,
  task,
  ...sizes.flatMap((size, index) => call(`x${index}x`, size)),
]

function paged(items: readonly Item[], windowTokens: number, changes: Partial<CompileInput> = {}): CompileResult {
  return compiler.compile({
    items,
    layout: 'messages',
    policy: { ...careful, overflow: 'paginate', reserveShare: 0 },
    budget: { windowTokens },
    ...changes,
  })
}

const pagesOf = ({ outcome }: CompileResult): readonly Pack[] => (outcome.kind === 'paginated' ? outcome.pages : [])
const idsOn = ({ entries }: Pack) => entries.map(({ itemId }) => itemId)

describe('P-035: pages of a conversation', () => {
  const items = conversation([60, 70, 80, 90, 50, 40])
  const result = paged(items, 230)
  const pages = pagesOf(result)

  it('have its beginning and its end on each, every exchange between them on one, whole and in order', () => {
    expect(pages.map(idsOn)).toEqual([
      ['rules', 'task', pageNoteId, 'x0x.call', 'x0x.result', 'x1x.call', 'x1x.result', 'x5x.call', 'x5x.result'],
      ['rules', 'task', pageNoteId, 'x2x.call', 'x2x.result', 'x5x.call', 'x5x.result'],
      ['rules', 'task', pageNoteId, 'x3x.call', 'x3x.result', 'x4x.call', 'x4x.result', 'x5x.call', 'x5x.result'],
    ])
    const textOf = new Map(items.map(({ id, text }) => [id, text]))
    for (const { entries } of pages)
      for (const { itemId, text, rung } of entries)
        if (itemId !== pageNoteId) expect([text, rung]).toEqual([textOf.get(itemId), 'full'])
  })

  it('say which they are, fit their budget exactly, and are bound by their hashes', () => {
    for (const [at, page] of pages.entries()) {
      const note = page.entries.find(({ itemId }) => itemId === pageNoteId)
      expect(note?.text).toBe(pageNoteText(at + 1, 3))
      expect(note?.tokens).toBe(wordTokenizer.count(pageNoteText(at + 1, 3)))
      expect(page.tokens).toBe(page.entries.reduce((sum, { tokens }) => sum + tokens, 0))
      expect(page.tokens).toBeLessThanOrEqual(availableTokens(result.budget))
      expect(isIntact(page, sha256)).toBe(true)
    }
  })

  it('are named in the receipt with their policy; what stands on a later page is deferred', () => {
    const { manifest } = result
    expect([manifest.overflow, manifest.outcome]).toEqual(['paginate', 'paginated'])
    const fates = Object.fromEntries(
      manifest.decisions.map(({ itemId, rung, reason }) => [itemId, `${rung} ${reason}`]),
    )
    expect(fates).toMatchObject({ 'x1x.result': 'full fits', 'x2x.result': 'omitted deferred' })
    expect(manifest.packTokens).toBe(pages[0]?.tokens)
    expect(result.pack).toEqual(pages[0])
  })

  it('leave the session where it was: none of them was sent in its place', () => {
    expect(result.ledger).toMatchObject({ layout: 'messages', turns: 0, entries: [] })
    const { ledger } = paged(items.slice(0, 4), 230)
    expect(paged(items, 230, { ledger }).ledger).toEqual(ledger)
  })

  it('are not made where everything fits', () => {
    const { outcome, pack } = paged(items, 5_000)
    expect(outcome).toEqual({ kind: 'ok', omitted: 0 })
    expect(pack?.entries.map(({ itemId }) => itemId)).toEqual(items.map(({ id }) => id))
  })

  it('keep what the user has said last, what is pinned, and tools on each; collected evidence is on one', () => {
    const tool = itemOf('tools', 'tool', '{"name":"read"}', { kind: 'tool-schema', toolName: 'read' })
    const [first, second] = [call('a', 60), call('b', 80)]
    const pinned = second.map((item) => ({ ...item, pin: true }))
    const now = itemOf('history', 'now', 'And now this.', { role: 'user' })
    const all = [
      tool,
      rules,
      task,
      evidence('e', words(70)),
      ...first,
      ...pinned,
      now,
      ...call('c', 60),
      ...call('d', 9),
    ]
    const made = pagesOf(paged(all, 240)).map(idsOn)
    expect(made.length).toBeGreaterThan(1)
    for (const ids of made)
      for (const id of ['tool', 'rules', 'task', 'b.call', 'b.result', 'now', 'd.result']) expect(ids).toContain(id)
    for (const id of ['e', 'a.result', 'c.result']) expect(made.filter((ids) => ids.includes(id))).toHaveLength(1)
  })

  it('A-049, P-037: there are none where the beginning and the end do not fit, or an exchange beside them', () => {
    const head = paged(conversation([300, 5, 300]), 200)
    expect(head.outcome).toMatchObject({ kind: 'budget-exhausted', availableTokens: 200 })
    expect(head.outcome.kind === 'budget-exhausted' && head.outcome.neededTokens).toBeGreaterThan(300)
    const unit = paged(conversation([5, 300, 5]), 200)
    expect(unit.outcome).toMatchObject({ kind: 'split-required', reason: expect.stringMatching(/exchange/) as string })
    expect([head.pack, unit.pack]).toEqual([undefined, undefined])
  })

  it('refuse an item with their own name', () => {
    const own = itemOf('history', pageNoteId, words(300), { role: 'user' })
    expect(() => paged([...items, own], 230)).toThrow(`items[${items.length}].id`)
  })

  it('hold for any conversation: each word on one page, those at both ends on all, and none over its window', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 3, maxLength: 40 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 200, max: 400 }), (drawn, windowTokens) => {
        const all = conversation(drawn)
        const made = paged(all, windowTokens)
        if (made.outcome.kind === 'ok') return
        expect(made.outcome.kind).toBe('paginated')
        const shown = pagesOf(made).map(idsOn)
        const ends = new Set(['rules', 'task', ...all.slice(-2).map(({ id }) => id)])
        for (const { id } of all)
          expect(shown.filter((ids) => ids.includes(id))).toHaveLength(ends.has(id) ? shown.length : 1)
        for (const page of pagesOf(made)) expect(page.tokens).toBeLessThanOrEqual(windowTokens)
      }),
      { numRuns: 300, seed: 35 },
    )
  })
})

describe('P-035: every policy in both layouts', () => {
  const items = [...conversation([60, 70, 80, 90]), evidence('e1', words(90)), evidence('e2', words(80, 'f'))]
  const cases = (['messages', 'payload'] as const).flatMap((layout) =>
    overflowPolicies.map((overflow) => ({ layout, overflow })),
  )

  it.each(cases)('$overflow, $layout: ends as it says, and the receipt names it', ({ layout, overflow }) => {
    const frame = { request: 'Find the change.' }
    const policy = { ...careful, overflow, reserveShare: 0 }
    const { manifest, outcome } = paged(items, layout === 'messages' ? 330 : 400, { layout, policy, frame })
    const ends = {
      'cascade-compress': 'ok',
      'truncate-lowest': 'ok',
      'fail-loud': 'budget-exhausted',
      'paginate': 'paginated',
      'defer-retrieval': 'retrieval-pending',
    }
    expect([manifest.overflow, outcome.kind]).toEqual([overflow, ends[overflow]])
  })
})
