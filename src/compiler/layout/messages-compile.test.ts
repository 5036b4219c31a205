import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item, Policy } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { evidence, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful, costFirst, qualityFirst, thrifty } from '../policy/policies.ts'

const call = (id: string) => ({ section: 'history', toolName: 'bash', toolCallId: id, group: id })

/** Results of a tool, with what was asked of it. */
const steps = (results: number, lines: number): readonly Item[] => [
  itemOf('query', 'ask', 'go', { role: 'user' }),
  ...Array.from({ length: results }, (_, index): readonly Item[] => [
    { ...call(`x${index}`), id: `c${index}`, kind: 'tool-call', role: 'assistant', text: '{}' },
    {
      ...call(`x${index}`),
      id: `r${index}`,
      kind: 'tool-result',
      role: 'tool',
      text: Array.from({ length: lines }, (__, line) => words(8, `r${index}l${line}x`)).join('\n'),
    },
  ]).flat(),
]

/** Never begins an epoch to save money, and keeps nothing free for the reply. */
const holding = (policy: Policy): Policy => ({
  ...policy,
  reserveShare: 0,
  epochs: { ...policy.epochs, reserveCalls: 1e9 },
})

function compile(changes: Partial<CompileInput>): CompileResult {
  return createCompiler({ tokenizer: wordTokenizer, hash: sha256 }).compile({
    items: steps(3, 20),
    layout: 'messages',
    policy: holding(careful),
    budget: { windowTokens: 100_000 },
    handleKey: 'key',
    rehydration: true,
    ...changes,
  })
}

const sectionOf = ({ manifest }: CompileResult, name: string) =>
  manifest.sections.find(({ section }) => section === name)

const fatesOf = ({ manifest }: CompileResult) =>
  Object.fromEntries(manifest.decisions.map(({ itemId, rung, reason }) => [itemId, `${rung}: ${reason}`]))

const fieldOf = (changes: Partial<CompileInput>): unknown => {
  try {
    compile(changes)
  } catch (error) {
    return isPrehendError(error) && 'field' in error.data ? error.data.field : error
  }
  return undefined
}

describe('a conversation that fits', () => {
  it('stands in wire order, as it came', () => {
    const items = [...steps(2, 3), itemOf('history', 'image', '', { kind: 'media', tokens: 85, role: 'user' })]
    const { pack, outcome } = compile({ items })
    expect(outcome).toEqual({ kind: 'ok', omitted: 0 })
    expect(pack?.messages).toEqual([])
    expect(pack?.entries.map(({ itemId, rung }) => `${itemId} ${rung}`)).toEqual(items.map(({ id }) => `${id} full`))
    expect(pack?.entries.at(-1)?.tokens).toBe(85)
  })

  it('P-003: keeps reserve and overhead free', () => {
    const items = [itemOf('query', 'ask', words(99))]
    const outcomeOf = (budget: CompileInput['budget']) => compile({ items, budget }).outcome.kind
    expect(outcomeOf({ windowTokens: 120, maxOutputTokens: 21 })).toBe('ok')
    expect(outcomeOf({ windowTokens: 120, maxOutputTokens: 22 })).toBe('budget-exhausted')
    expect(outcomeOf({ windowTokens: 120, maxOutputTokens: 20, overheadTokens: 2 })).toBe('budget-exhausted')
  })

  it('A-058, V-003: a result that is kept because it failed says so', () => {
    const items = steps(9, 60).map((item) =>
      item.id === 'r3' ? { ...item, status: 'error' as const, text: `${item.text}\nError: no such file` } : item,
    )
    expect(fatesOf(compile({ items }))['r3']).toBe('full: error-kept')
  })
})

describe('what a policy says of a conversation', () => {
  it('P-033, P-035: under fail-loud nothing is sent where not all of it fits, and nothing is hidden where it does', () => {
    const full = compile({ items: steps(20, 60), policy: holding(qualityFirst) })
    const budget = { windowTokens: Math.floor(full.manifest.packTokens / 5) }
    const { outcome, pack, manifest } = compile({ items: steps(20, 60), policy: holding(qualityFirst), budget })
    expect(pack).toBeUndefined()
    expect(outcome).toMatchObject({
      kind: 'budget-exhausted',
      neededTokens: full.manifest.packTokens,
      availableTokens: budget.windowTokens,
    })
    expect(new Set(manifest.decisions.map(({ rung, reason }) => `${rung}: ${reason}`))).toEqual(
      new Set(['omitted: overflow']),
    )
    const tight = { windowTokens: full.manifest.packTokens }
    const sent = compile({ items: steps(20, 60), policy: holding(qualityFirst), budget: tight })
    expect(sent.pack?.entries.every(({ rung }) => rung === 'full')).toBe(true)
  })

  it('P-035: paginate hides nothing either, whichever class of task asks for it', () => {
    const full = compile({ items: steps(20, 60), policy: holding(careful) })
    const policy = holding({ ...careful, overflowFor: { survey: 'paginate' } })
    const given = { items: steps(20, 60), policy, taskClass: 'survey' }
    const sent = compile({ ...given, budget: { windowTokens: full.manifest.packTokens } })
    expect(sent.pack?.entries.every(({ rung }) => rung === 'full')).toBe(true)
    const { outcome } = compile({ ...given, budget: { windowTokens: Math.floor(full.manifest.packTokens / 3) } })
    expect(outcome.kind).toBe('paginated')
  })

  it('what is of layout payload is refused by name', () => {
    expect(fieldOf({ markup: 'xml' })).toBe('markup')
  })

  it('P-035, X-28: defer-retrieval leaves collected evidence for another request, and names it', () => {
    const items = [...steps(3, 20), evidence('e0', words(900)), evidence('pinned', 'A fact.', { pin: true })]
    const policy = holding({ ...careful, overflow: 'defer-retrieval' })
    const { outcome, pack } = compile({ items, policy, budget: { windowTokens: 1_000 } })
    expect(outcome).toEqual({ kind: 'retrieval-pending', omitted: 1, deferredIds: ['e0'] })
    expect(pack?.entries.map(({ itemId }) => itemId)).toEqual([...steps(3, 20).map(({ id }) => id), 'pinned'])
  })

  it('P-035: truncate-lowest drops collected sections whole before anything of the conversation', () => {
    const items = [...steps(3, 20), itemOf('memory', 'm0', words(300)), evidence('e0', words(300))]
    const policy = holding({ ...careful, overflow: 'truncate-lowest' })
    const result = compile({ items, policy, budget: { windowTokens: 950 } })
    expect(fatesOf(result)).toMatchObject({ m0: 'omitted: overflow', r0: 'full: fits', e0: 'full: recent' })
  })

  it('P-021: collected evidence must reach the floors; what was sent before stands', () => {
    const floors = { relevance: 0.9, freshness: 0, authority: 0 }
    const weak = evidence('weak', 'A doubtful fact.', { scores: { relevance: 0.1 } })
    const items = [...steps(1, 3), weak]
    expect(fatesOf(compile({ items, policy: { ...holding(careful), floors } }))['weak']).toBe('omitted: below-floor')
    const before = compile({ items })
    const after = compile({ items, policy: { ...holding(careful), floors }, ledger: before.ledger })
    expect(fatesOf(after)['weak']).toBe('full: recent')
  })

  it('what was left out stays out: the bytes before it are in the provider’s cache', () => {
    const floors = { relevance: 0.9, freshness: 0, authority: 0 }
    const items = [...steps(1, 3), evidence('weak', 'A doubtful fact.', { scores: { relevance: 0.1 } })]
    const before = compile({ items, policy: { ...holding(careful), floors } })
    const after = compile({ items: [...items, itemOf('history', 'more', 'Go on.')], ledger: before.ledger })
    expect(fatesOf(after)).toMatchObject({ weak: 'omitted: ledger', more: 'full: recent' })
  })

  it('P-026, A-029: what it requires must be given', () => {
    const assertion = (changes: Partial<CompileInput>): unknown => {
      try {
        return compile({ policy: { ...holding(careful), requires: ['acceptance'] }, ...changes }).outcome.kind
      } catch (error) {
        return isPrehendError(error) && 'assertion' in error.data ? error.data.assertion : error
      }
    }
    expect(assertion({})).toBe('required-parts')
    expect(assertion({ frame: { request: 'go', acceptance: ['It builds.'] } })).toBe('ok')
  })

  it('P-013: full provenance is asked for where the policy says so', () => {
    const items = [...steps(1, 3), evidence('e0', 'A fact.')]
    expect(fieldOf({ items, policy: { ...holding(careful), provenance: 'full' } })).toBe(
      'items[3].provenance.retrievedAt',
    )
  })

  it('P-009: a price on tokens keeps collected evidence short, and leaves the conversation alone', () => {
    const items = [
      ...steps(3, 20),
      ...Array.from({ length: 20 }, (_, index) => evidence(`e${index}`, words(300, `e${index}x`))),
    ]
    const granted = (costSensitivity: number) => {
      const result = compile({ items, policy: { ...holding(careful), costSensitivity } })
      return [sectionOf(result, 'evidence')?.usedTokens ?? 0, sectionOf(result, 'history')?.usedTokens ?? 0] as const
    }
    const [all, conversation] = granted(0)
    const [fewer, same] = granted(0.0002)
    expect(fewer).toBeLessThan(all)
    expect(same).toBe(conversation)
    expect(costFirst.costSensitivity).toBeGreaterThan(0)
  })
})

describe('sections of a conversation', () => {
  it('P-010, X-13: a maximum of the history is kept by shortening, and the receipt tells what was granted', () => {
    const sections = [{ section: 'history', max: 500 }]
    const result = compile({ items: steps(4, 30), budget: { windowTokens: 100_000, sections } })
    expect(result.outcome).toMatchObject({ kind: 'ok' })
    const history = sectionOf(result, 'history')
    expect(history).toMatchObject({ max: 500, allocatedTokens: 500 })
    expect(history?.usedTokens).toBeLessThanOrEqual(500)
    expect(history?.usedTokens).toBeGreaterThan(100)
  })

  it('P-033: one that cannot be kept is said to be too small', () => {
    const budget = { windowTokens: 100_000, sections: [{ section: 'history', max: 20 }] }
    const { outcome, pack } = compile({ items: steps(4, 30), budget })
    expect(pack).toBeUndefined()
    expect(outcome).toMatchObject({ kind: 'budget-exhausted', sections: ['history'] })
  })

  it('A-049: the maximum of a section that stands whole asks for the step to be split', () => {
    const budget = { windowTokens: 100_000, sections: [{ section: 'query', max: 5 }] }
    const { outcome } = compile({ items: [itemOf('query', 'ask', words(9), { role: 'user' })], budget })
    expect(outcome).toMatchObject({
      kind: 'split-required',
      reason: 'Section query must show 9 tokens and may take 5.',
    })
  })

  it('V-005: what was granted and what was used are told apart, and sections that competed have a price', () => {
    const items = [
      ...steps(2, 20),
      ...Array.from({ length: 9 }, (_, index) => evidence(`e${index}`, words(200, `e${index}x`))),
    ]
    const roomy = compile({ items })
    expect(roomy.manifest.shadowPrice).toBeUndefined()
    const tight = compile({ items, budget: { windowTokens: 1_500 } })
    const evidenceOf = sectionOf(tight, 'evidence')
    expect(evidenceOf?.usedTokens).toBeLessThanOrEqual(evidenceOf?.allocatedTokens ?? 0)
    expect(evidenceOf?.excluded).toBeGreaterThan(0)
    expect(tight.manifest.shadowPrice).toBeGreaterThan(0)
    expect(fatesOf(tight)['r0']).toBe('full: fits')
  })

  it('A-031, X-05: tools are shortened for want of room and never left out', () => {
    const tool = (index: number): Item => ({
      id: `t${index}`,
      section: 'tools',
      kind: 'tool-schema',
      toolName: `t${index}`,
      text: JSON.stringify({
        name: `t${index}`,
        description: words(10, `d${index}x`),
        parameters: { type: 'object', properties: { a: { type: 'string', description: words(60, `p${index}x`) } } },
      }),
    })
    const items = [
      ...Array.from({ length: 5 }, (_, index) => tool(index)),
      itemOf('query', 'ask', 'go', { role: 'user' }),
    ]
    const { packTokens } = compile({ items }).manifest
    const roomy = compile({ items, budget: { windowTokens: Math.ceil(packTokens / careful.pressure.compress) } })
    expect(roomy.pack?.entries.every(({ rung }) => rung === 'full')).toBe(true)
    const tight = compile({ items, budget: { windowTokens: Math.floor(packTokens * 0.6) } })
    expect(tight.outcome).toMatchObject({ kind: 'ok' })
    const shown = tight.pack?.entries.filter(({ section }) => section === 'tools') ?? []
    expect(shown).toHaveLength(5)
    expect(shown.some(({ rung }) => rung === 'trimmed')).toBe(true)
    for (const { text } of shown) expect(JSON.parse(text)).toMatchObject({ parameters: { type: 'object' } })
  })
})

describe('epochs of a conversation', () => {
  it('X-02: another step of the task is a cause of an epoch, where the price allows one', () => {
    const frame = (step: string) => ({ request: 'go', step })
    const items = steps(12, 60)
    const prices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 }
    const policy: Policy = { ...careful, epochs: { ...careful.epochs, patience: 1e9, reserveCalls: 0, riskShare: 1 } }
    const before = compile({ items: items.slice(0, -2), policy, prices, frame: frame('one'), nowMs: 0 })
    const rich = { ...before.ledger, account: { passThrough: 1e6, actual: 0 } }
    const causeOf = (step: string) =>
      compile({ items, policy, prices, frame: frame(step), nowMs: 1, ledger: rich }).manifest.epoch
    expect(causeOf('one')).toMatchObject({ decision: 'hold' })
    expect(causeOf('two')).toMatchObject({ decision: 'begin', cause: 'step-changed' })
    const poor = { ...before.ledger, account: { passThrough: 0, actual: 1e6 } }
    expect(
      compile({ items, policy, prices, frame: frame('two'), nowMs: 1, ledger: poor }).manifest.epoch?.decision,
    ).toBe('hold')
  })

  it('C-013: of five results the newest two stay whole and three become a line each, under a policy that says so', () => {
    const policy = { ...thrifty, epochs: { ...thrifty.epochs, keepFull: 2, keepTokens: 700, dataLineWorth: 1 } }
    const given = { policy, prices: { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 } }
    const before = compile({ ...given, items: steps(4, 60), nowMs: 0 })
    const { pack } = compile({ ...given, items: steps(5, 60), nowMs: 3_600_000, ledger: before.ledger })
    const results = pack?.entries.filter(({ itemId }) => itemId.startsWith('r')) ?? []
    expect(results.map(({ rung }) => rung)).toEqual(['line', 'line', 'line', 'full', 'full'])
    expect(results[0]?.text).toMatch(/^\[Tool: bash - ok, 480 tokens, step 1\] rehydrate\("\d{12}"\)$/)
  })

  it('a refused compile leaves the session as it was', () => {
    const small = { windowTokens: 30 }
    const fresh = compile({ budget: small })
    expect(fresh.ledger).toMatchObject({ entries: [], turns: 0, epoch: 0 })
    const { ledger } = compile({ items: steps(2, 20) })
    expect(compile({ ledger, budget: small }).ledger).toBe(ledger)
  })

  it('a group that was collected together is sent together or not at all, and not divided later', () => {
    const pair = [evidence('e0', words(600), { group: 'g' }), evidence('e1', 'A fact.', { group: 'g' })]
    const items = [...steps(2, 20), ...pair]
    const before = compile({ items, budget: { windowTokens: 800 } })
    const fates = fatesOf(before)
    expect(fates['e0']?.startsWith('omitted')).toBe(fates['e1']?.startsWith('omitted'))
    const floors = { relevance: 0.9, freshness: 0, authority: 0 }
    const weak = pair.map((item) => ({ ...item, scores: { relevance: 0.1 } }))
    const out = compile({ items: [...steps(2, 20), ...weak], policy: { ...holding(careful), floors } })
    const more = evidence('e2', 'Another.', { group: 'g' })
    const after = compile({ items: [...steps(2, 20), ...weak, more], ledger: out.ledger })
    expect(fatesOf(after)).toMatchObject({ e0: 'omitted: ledger', e1: 'omitted: ledger', e2: 'omitted: group' })
  })

  it('P-036: a task that is critical to safety fails loud, in a conversation too', () => {
    const { outcome, manifest } = compile({ taskClass: 'safety-critical', budget: { windowTokens: 400 } })
    expect(outcome.kind).toBe('budget-exhausted')
    expect(manifest.overflow).toBe('fail-loud')
  })

  it('a session that changes its layout begins anew and says why', () => {
    const payload = compile({ layout: 'payload', frame: { request: 'go' } })
    expect(payload.ledger.layout).toBe('payload')
    const messages = compile({ ledger: payload.ledger })
    expect(messages.manifest.epoch).toMatchObject({ decision: 'begin', cause: 'layout-changed' })
    const back = compile({ layout: 'payload', frame: { request: 'go' }, ledger: messages.ledger })
    expect(back.manifest.epoch).toMatchObject({ decision: 'begin', cause: 'layout-changed' })
  })

  it('a ledger that is none of ours is refused by name', () => {
    const old = { schema: 'prehend.ledger/1', entries: [] } as unknown as NonNullable<CompileInput['ledger']>
    expect(fieldOf({ ledger: old })).toBe('ledger.schema')
    const { ledger } = compile({})
    expect(fieldOf({ ledger: { ...ledger, entries: [null] } as unknown as typeof ledger })).toBe('ledger.entries[0]')
  })
})
