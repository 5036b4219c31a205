import { describe, expect, it } from 'vitest'
import type { CompactionOrder, CompileInput, CompileResult, Item, Ledger } from '../../core/index.ts'
import { itemOf, wordTokenizer, sha256, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'

const { compile } = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
const prices = { read: 0.1, write: 1.25, minTokens: 0, ttlMs: 300_000 }

const instruction = itemOf('policy', 'system', 'Never deploy on Fridays.', { role: 'system', kind: 'instruction' })

/** A task, then steps of an agent: a call each with what came back. */
function agent(steps: number): readonly Item[] {
  const asked = itemOf('query', 'task', 'Find out why the build fails. Never touch the lock file.', { role: 'user' })
  const done = Array.from({ length: steps }, (_, step): readonly Item[] => {
    const call = { section: 'history', toolName: 'bash', toolCallId: `c${step}`, group: `c${step}` } as const
    return [
      { ...call, id: `call${step}`, kind: 'tool-call', role: 'assistant', text: `{"command":"run ${step}"}` },
      { ...call, id: `result${step}`, kind: 'tool-result', role: 'tool', text: words(120, `step${step}word`) },
    ]
  })
  return [instruction, asked, ...done.flat()]
}

function chat(turns: number): readonly Item[] {
  const said = Array.from({ length: turns }, (_, turn): readonly Item[] => [
    itemOf('history', `user${turn}`, `Question ${turn}: ${words(40, `asked${turn}x`)}.`, { role: 'user' }),
    itemOf('history', `model${turn}`, `Answer ${turn}: ${words(60, `said${turn}x`)}.`, { role: 'assistant' }),
  ])
  const rule = itemOf('history', 'rule', 'You must never delete the archive.', { role: 'user' })
  return [instruction, rule, itemOf('history', 'ok', 'Understood.', { role: 'assistant' }), ...said.flat()]
}

interface Asked extends Partial<CompileInput> {
  readonly order?: CompactionOrder
}

function packed(items: readonly Item[], { order, ...changes }: Asked = {}): CompileResult {
  return compile({
    items,
    budget: { windowTokens: 100_000, maxOutputTokens: 10_000, overheadTokens: 50 },
    policy: careful,
    layout: 'messages',
    handleKey: 'key',
    rehydration: true,
    prices,
    nowMs: 1000,
    ...(order && { compaction: order }),
    ...changes,
  })
}

/** What a request shows of each item, by id. */
function shownOf({ pack }: CompileResult): Readonly<Record<string, string>> {
  return Object.fromEntries(pack?.entries.flatMap(({ itemId, text }) => (text === '' ? [] : [[itemId, text]])) ?? [])
}

const now = (name: string, more: Partial<CompactionOrder> = {}): CompactionOrder => ({ now: name, ...more })

describe('a conversation that is ordered to be compacted', () => {
  it('keeps instructions, what the user said and the newest messages byte for byte, and no half of a pair (V-035, B-21, G-046)', () => {
    const items = agent(20)
    const { ledger } = packed(items)
    const result = packed(items, { ledger, order: now('one', { preserveRecent: 6 }) })
    const shown = shownOf(result)
    const kept = [...items.slice(0, 2), ...items.slice(-6)]
    for (const { id, text } of kept) expect(shown[id]).toBe(text)
    for (let step = 1; step < 17; step += 1) expect(shown[`call${step}`] ?? shown[`result${step}`]).toBeUndefined()
    for (const { toolCallId } of items)
      expect(`call${toolCallId?.slice(1)}` in shown).toBe(`result${toolCallId?.slice(1)}` in shown)
  })

  it('says so in its epoch and its receipt, with what it saved and what brings the rest back (G-045)', () => {
    const items = agent(20)
    const { ledger } = packed(items)
    const held = packed(items, { ledger }).manifest
    const { manifest, ledger: after } = packed(items, { ledger, order: now('one') })
    const { compaction } = manifest
    expect(manifest.epoch).toMatchObject({ decision: 'begin', cause: 'compacted' })
    expect(compaction).toMatchObject({ cause: 'ordered', count: 1, handles: [expect.stringMatching(/^\d{12}$/)] })
    expect((compaction?.tokensBefore ?? 0) - (compaction?.tokensAfter ?? 0)).toBe(held.packTokens - manifest.packTokens)
    expect(manifest.packTokens).toBeLessThan(held.packTokens / 2)
    expect(compaction?.price).toBeGreaterThan(0)
    expect(compaction?.paybackTurns).toBeGreaterThan(0)
    expect(after).toMatchObject({ compacted: { count: 1, order: 'one' } })
  })

  it('is compacted once for each order, and counts (G-045, G-046)', () => {
    const items = agent(12)
    const first = packed(items, { ledger: packed(items).ledger, order: now('one') })
    const same = packed(items, { ledger: first.ledger, order: now('one') })
    expect(same.manifest.compaction).toBeUndefined()
    expect(shownOf(same)).toEqual(shownOf(first))
    const more = agent(24)
    const grown = packed(more, { ledger: packed(more, { ledger: same.ledger }).ledger, order: now('two') })
    expect(grown.manifest.compaction).toMatchObject({ cause: 'ordered', count: 2 })
    const again = packed(more, { ledger: grown.ledger, order: now('three') })
    expect(again.manifest.compaction).toBeUndefined()
    expect(again.ledger).toMatchObject({ compacted: { count: 2, order: 'three' } })
  })

  it('becomes a summary of its old turns where nothing was called, with what binds word for word', () => {
    const items = chat(30)
    const result = packed(items, { ledger: packed(items).ledger, order: now('one', { summaryBudget: 300 }) })
    const shown = shownOf(result)
    expect(result.manifest.compaction).toMatchObject({ cause: 'ordered', count: 1 })
    expect(Object.values(shown).join('\n')).toContain('You must never delete the archive.')
    for (const { id, text } of [instruction, ...items.slice(-6)]) expect(shown[id]).toBe(text)
    expect(result.manifest.compaction?.briefTokens).toBeLessThan(400)
  })

  it('stays as it is where its policy hides nothing', () => {
    const policy = { ...careful, id: 'whole', epochs: { ...careful.epochs, lowestRung: 'lossless' } } as const
    expect(packed(agent(20), { policy, order: now('one') }).manifest.compaction).toBeUndefined()
  })

  it.each([
    ['agent', agent],
    ['chat', chat],
  ] as const)('shows no handle where no tool follows one, and stays so: %s', (_, talk) => {
    const [once, later] = [talk(20), talk(21)]
    const result = packed(once, { rehydration: false, order: now('one') })
    const { handles = [] } = result.manifest.compaction ?? {}
    expect(handles).toHaveLength(1)
    expect(Object.values(shownOf(result)).join('\n')).not.toContain(handles[0])
    const next = packed(later, { rehydration: false, ledger: result.ledger })
    expect(shownOf(next)).toMatchObject(shownOf(result))
  })
})

it('a brief that takes in an earlier one has one handle in the ledger, too, which brings back all of it', () => {
  const [some, more] = [agent(12), agent(24)]
  const first = packed(some, { order: now('one') })
  const second = packed(more, { ledger: first.ledger, order: now('two') })
  const entries = second.ledger.layout === 'messages' ? second.ledger.entries : []
  const handles = new Set(
    entries.flatMap(({ rung, handle }) => (rung === 'summary' || rung === 'omitted' ? [handle] : [])),
  )
  expect([...handles]).toEqual(second.manifest.compaction?.handles)
})

describe('a trigger', () => {
  const items = agent(20)
  const { ledger } = packed(items)
  const { manifest } = packed(items, { ledger })
  const promptTokens = manifest.packTokens + manifest.overheadTokens
  const fires = (trigger: CompactionOrder['trigger']): boolean =>
    packed(items, { ledger, ...(trigger && { order: { trigger } }) }).manifest.compaction !== undefined

  it.each([
    ['utilization', manifest.utilisation, false],
    ['utilization', manifest.utilisation - 1e-6, true],
    ['utilization', undefined, false],
    ['token_count', promptTokens, false],
    ['token_count', promptTokens - 1, true],
    ['manual', 0, false],
  ] as const)('%s at %s fires: %s (B-04, G-044, G-049)', (type, value, expected) => {
    expect(fires({ type, ...(value !== undefined && { value }) })).toBe(expected)
  })

  it('is held against the window less the reserve for the reply, and is 0.8 of it by default (V-035, G-044)', () => {
    // 50 of the overhead and the reserve of 1000 beside it.
    const windowOf = (share: number): number => Math.ceil(promptTokens / share) + 1000
    const at = (share: number) => {
      const budget = { windowTokens: windowOf(share), maxOutputTokens: 1000, overheadTokens: 50 }
      const held = packed(items, { budget }).ledger
      return packed(items, { budget, ledger: held, order: { trigger: { type: 'utilization' } } }).manifest
    }
    expect(at(0.79).compaction).toBeUndefined()
    expect(at(0.81).compaction).toMatchObject({ cause: 'utilization', count: 1 })
  })

  it('does not fire again before the prompt was well below it', () => {
    const value = 0.6 * promptTokens
    const order = { trigger: { type: 'token_count', value }, preserveRecent: 20, summaryBudget: 50 } as const
    const first = packed(items, { ledger, order })
    const { tokensBefore = 0, tokensAfter = 0 } = first.manifest.compaction ?? {}
    expect(tokensAfter).toBeLessThan(0.8 * tokensBefore)
    expect(tokensAfter).toBeGreaterThan(0.85 * value)
    let state: Ledger = first.ledger
    for (let steps = 21; steps < 26; steps += 1) {
      const next = packed(agent(steps), { ledger: state, order: { ...order, preserveRecent: 2 } })
      expect(next.manifest.compaction).toBeUndefined()
      state = next.ledger
    }
  })

  it('leaves a conversation alone that would hardly shrink, and has not fired then; by hand it is compacted', () => {
    const order = { trigger: { type: 'token_count', value: promptTokens - 1 }, preserveRecent: 36 } as const
    const byHand = packed(items, { ledger, order: { ...order, now: 'one' } }).manifest.compaction
    expect(byHand?.tokensAfter).toBeGreaterThan(0.8 * promptTokens)
    const first = packed(items, { ledger, order })
    expect(first.manifest.compaction).toBeUndefined()
    expect(first.ledger).not.toHaveProperty('compacted')
    const next = packed(agent(21), { ledger: first.ledger, order: { ...order, preserveRecent: 2 } })
    expect(next.manifest.compaction).toMatchObject({ cause: 'token_count', count: 1 })
  })

  it.each([
    ['manual', undefined],
    ['token_count', 1e6],
  ] as const)('leaves a full window to the rule of the policy: %s', (type, value) => {
    const rule = { views: 100, viewSteps: 10, tasks: 100, outlines: 100, lines: 100, loanShare: 1 }
    const compaction = { ...rule, patience: 0, newestSteps: 2, newestTokens: 100 }
    const policy = { ...careful, id: 'renting', epochs: { ...careful.epochs, compaction } }
    const run = (windowTokens: number) => {
      const budget = { windowTokens, maxOutputTokens: 100, overheadTokens: 50 }
      const order = { trigger: { type, ...(value !== undefined && { value }) } }
      return packed(items, { policy, budget, ledger, order }).manifest.compaction
    }
    expect(run(2 * promptTokens)).toBeUndefined()
    expect(run(promptTokens)).toMatchObject({ cause: 'full-window', count: 1 })
  })

  it('takes the place of the rule of the policy', () => {
    const rule = { views: 100, viewSteps: 10, tasks: 100, outlines: 100, lines: 100, loanShare: 1 }
    const compaction = { ...rule, patience: 1e9, newestSteps: 2, newestTokens: 100 }
    const policy = { ...careful, id: 'renting', epochs: { ...careful.epochs, compaction } }
    const run = (order?: CompactionOrder) => packed(items, { policy, ledger, ...(order && { order }) }).manifest
    expect(run().compaction).toMatchObject({ cause: 'rent' })
    expect(run({ trigger: { type: 'manual' } }).compaction).toBeUndefined()
    expect(run(now('x', { preserveRecent: 100 })).compaction).toMatchObject({ cause: 'rent' })
  })
})
