import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item, Media, OverflowPolicy } from '../../core/index.ts'
import { sections } from '../../core/index.ts'
import { careful, costFirst } from '../policy/policies.ts'
import { evidence, memory, newCompiler, packInput, sha256, turn, words } from '../word-tokens.fixture.ts'
import { isIntact } from '../receipt/pack-hash.ts'
import { assemblyReasons, compilationTrace, contextPackManifest } from '../receipt/projections.ts'
import { serializePack } from '../receipt/serialize-pack.ts'
import { verifyManifest } from '../receipt/verify-manifest.ts'

const compile = (input: CompileInput): CompileResult => newCompiler().compile(input)

const shownIds = ({ pack }: CompileResult): readonly string[] => pack?.entries.map(({ itemId }) => itemId) ?? []

const rungOf = ({ manifest }: CompileResult, id: string) => manifest.decisions.find(({ itemId }) => itemId === id)?.rung

const reasonOf = ({ manifest }: CompileResult, id: string) =>
  manifest.decisions.find(({ itemId }) => itemId === id)?.reason

/** What is kept free for the frame; a pack that is refused reports it. */
const frameOf = (input: CompileInput): number =>
  compile({ ...input, budget: { windowTokens: 1 } }).manifest.frameTokens ?? 0

const withRoom = (items: readonly Item[], room: number, fields: Partial<CompileInput> = {}): CompileInput => {
  const input = packInput(items, 1, fields)
  return { ...input, budget: { ...input.budget, windowTokens: frameOf(input) + room } }
}

describe('compile, layout payload', () => {
  it('A-057: nothing is shortened or left out where everything fits', () => {
    const result = compile(withRoom([evidence('a', 20), memory('b', 10), turn('c', 5)], 200))
    expect(result.outcome).toEqual({ kind: 'ok', omitted: 0 })
    expect(result.manifest.decisions.map(({ rung, reason }) => [rung, reason])).toEqual([
      ['full', 'fits'],
      ['full', 'fits'],
      ['full', 'fits'],
    ])
    expect(result.manifest.truncations).toEqual([])
  })

  it('P-023, P-024: the most relevant evidence is kept, the rest has a reason and a handle', () => {
    const scored = [0.1, 0.9, 0.3, 0.8].map((relevance, index) => evidence(`e${index}`, 30, { scores: { relevance } }))
    const result = compile(withRoom(scored, 75))
    expect(shownIds(result).toSorted()).toEqual(['e1', 'e3'])
    const omitted = result.manifest.decisions.filter(({ rung }) => rung === 'omitted')
    expect(omitted.map(({ itemId, reason }) => [itemId, reason])).toEqual([
      ['e0', 'section-budget'],
      ['e2', 'section-budget'],
    ])
    expect(omitted.every(({ handle }) => handle !== undefined && handle.length >= 4)).toBe(true)
  })

  it('P-009: a price on tokens leaves room unused, the more the higher it is', () => {
    const items = [
      ...Array.from({ length: 60 }, (_, index) => evidence(`e${index}`, 1_000)),
      ...Array.from({ length: 30 }, (_, index) => memory(`m${index}`, 500)),
    ]
    const priced = (costSensitivity: number) =>
      compile(packInput(items, 200_000, { policy: { ...careful, reserveShare: 0, costSensitivity } }))
    const tokens = [0, 0.000005, costFirst.costSensitivity, 0.00002, 0.001, 10].map(
      (price) => priced(price).pack?.tokens ?? 0,
    )
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a))
    expect(new Set(tokens.slice(0, 5)).size).toBe(5)
    expect(shownIds(priced(0))).toHaveLength(90)
    expect(shownIds(priced(10))).toEqual([])
    for (const { allocatedTokens, demandTokens } of priced(costFirst.costSensitivity).manifest.sections)
      expect(allocatedTokens).toBeLessThanOrEqual(demandTokens)
  })

  it('P-028: equal scores keep the order of arrival', () => {
    const equal = Array.from({ length: 6 }, (_, index) => evidence(`e${index}`, 20))
    expect(shownIds(compile(withRoom(equal, 80))).toSorted()).toEqual(['e0', 'e1', 'e2'])
  })

  it('V-003: one decision and one reason for every candidate', () => {
    const items = [evidence('a', 40), evidence('b', 40), evidence('a2', 40, { text: words('a', 40) }), turn('t', 30)]
    const { manifest } = compile(withRoom(items, 60))
    expect(manifest.decisions.map(({ itemId }) => itemId)).toEqual(['a', 'b', 'a2', 't'])
    expect(manifest.decisions.find(({ itemId }) => itemId === 'a2')).toMatchObject({
      rung: 'omitted',
      reason: 'duplicate',
    })
  })

  it('V-005: sections add up to what was sent, and list every section once in logical order (A-002)', () => {
    const { manifest, pack } = compile(withRoom([evidence('a', 40), memory('b', 40), turn('t', 30)], 80))
    const used = manifest.sections.reduce((sum, { usedTokens }) => sum + usedTokens, 0)
    expect(used + (manifest.frameTokens ?? 0)).toBe(pack?.tokens)
    const logical = sections.map(({ section }) => section).filter((section) => section !== 'reserve')
    expect(manifest.sections.map(({ section }) => section)).toEqual(logical)
  })

  it('P-021: floors gate evidence and memory at the boundary; unknown scores pass', () => {
    const policy = { ...careful, reserveShare: 0, floors: { relevance: 0.3, freshness: 0.2, authority: 0.4 } }
    const items = [
      evidence('at', 5, { scores: { relevance: 0.3, freshness: 0.2, authority: 0.4 } }),
      evidence('irrelevant', 5, { scores: { relevance: 0.29 } }),
      evidence('stale', 5, { scores: { freshness: 0.19 } }),
      evidence('rumour', 5, { scores: { authority: 0.39 } }),
      evidence('unknown', 5, { scores: {} }),
      memory('expired', 5, { scores: { freshness: 0.1 } }),
      memory('pinned', 5, { scores: { relevance: 0 }, pin: true }),
      memory('anonymous', 5, { scores: { authority: 0 } }),
    ]
    const result = compile(withRoom(items, 500, { policy }))
    expect(result.manifest.decisions.map(({ reason }) => reason)).toEqual([
      'fits',
      'below-floor',
      'below-floor',
      'below-floor',
      'fits',
      'expired',
      'pinned',
      'fits',
    ])
  })

  it('P-057: pinned items stand in full and pin their group', () => {
    const items = [
      evidence('big', 60, { scores: { relevance: 1 } }),
      evidence('pinned', 30, { scores: { relevance: 0 }, pin: true }),
      memory('mate', 20, { scores: { relevance: 0 }, group: 'g' }),
      evidence('other', 5, { scores: { relevance: 0 }, group: 'g', pin: true }),
    ]
    const result = compile(withRoom(items, 100))
    expect(['pinned', 'mate', 'other'].map((id) => rungOf(result, id))).toEqual(['full', 'full', 'full'])
  })

  it('groups across sections are left out as a whole when one member finds no room', () => {
    const items = [evidence('e', 10, { group: 'g' }), memory('m', 500, { group: 'g' }), evidence('alone', 10)]
    const result = compile(withRoom(items, 80))
    expect(shownIds(result)).toEqual(['alone'])
    expect(reasonOf(result, 'e')).toBe('group')
  })

  it('A-031: the oldest turns go first, without gaps, and the reader is told', () => {
    const turns = Array.from({ length: 10 }, (_, index) => turn(`t${index}`, 20))
    const result = compile(withRoom(turns, 70))
    expect(shownIds(result)).toEqual(['t7', 't8', 't9'])
    expect(result.pack?.messages.at(-1)?.text).toContain('CONVERSATION:\n- 7 earlier messages not shown\n')
  })

  it('P-017: a call and its result are never split', () => {
    const pair = (index: number): readonly Item[] => [
      turn(`call${index}`, 5, { group: `g${index}`, kind: 'opaque' }),
      turn(`result${index}`, 30, { group: `g${index}`, kind: 'opaque' }),
    ]
    const result = compile(withRoom([...pair(0), ...pair(1), ...pair(2)], 80))
    expect(shownIds(result)).toEqual(['call1', 'result1', 'call2', 'result2'])
  })

  it('A-013, X-36: the request stands verbatim at the end of the last message, whatever it says', () => {
    const request = '~~~\nACCEPTANCE:\n- none\n~~~~ \ud83d </user_request>'
    for (const markup of ['headers', 'xml', 'canonical'] as const) {
      const last = compile(packInput([evidence('a', 5)], 2_000, { frame: { request }, markup })).pack?.messages.at(-1)
      expect(last?.role).toBe('user')
      expect(last?.text).toContain(`\n~~~~~\n${request}\n~~~~~\n`)
    }
  })

  it('A-013: the conversation stands in messages of its own and not in the payload', () => {
    const result = compile(packInput([turn('said', 8), evidence('e', 5)], 2_000))
    expect(result.pack?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
    expect(result.pack?.messages.at(-1)?.text).not.toContain('said0')
  })

  it('X-03: the system text and the conversation are a stable prefix while the step changes', () => {
    const items = [turn('t', 8), memory('durable', 5, { pin: true }), evidence('e', 5)]
    const packOf = (request: string, more: readonly Item[]) =>
      compile(packInput([...items, ...more], 3_000, { frame: { step: request, request } })).pack
    const before = packOf('one', [])
    const after = packOf('two', [evidence('f', 9), turn('u', 3)])
    expect(after?.messages.slice(0, 2)).toEqual(before?.messages.slice(0, 2))
    expect(before?.messages[0]?.text).toContain('DURABLE MEMORY:\n- durable0')
  })

  it('A-012: headers are the same for full and empty packs', () => {
    const headersOf = (items: readonly Item[]) =>
      compile(packInput(items, 5_000))
        .pack?.messages.at(-1)
        ?.text.match(/^[A-Z ()]+:$/gm)
    expect(headersOf([])).toEqual(headersOf([evidence('a', 5), memory('b', 4), turn('c', 3)]))
  })

  it('P-008, A-048: the receipt carries shadow price and normalised signals; a tighter budget has a higher price', () => {
    const items = Array.from({ length: 10 }, (_, index) => evidence(`e${index}`, 50))
    const priceAt = (room: number) =>
      compile(withRoom(items, room, { signals: { risk: 'high', dialogueDepth: 10 } })).manifest
    expect(priceAt(100).shadowPrice).toBeGreaterThan(priceAt(400).shadowPrice ?? Infinity)
    expect(priceAt(100).signals).toEqual({ risk: 1, dialogueDepth: 0.5 })
  })

  it('B-47, P-024: tools have a maximum of their own, the best of them stand in it', () => {
    const tool = (id: string, relevance: number): Item => ({
      id,
      section: 'tools',
      kind: 'opaque',
      toolName: id,
      text: words(id, 28),
      scores: { relevance },
    })
    const tools = [tool('a', 0.1), tool('b', 0.9), tool('c', 0.5)]
    const input = packInput(tools, 2_000, {
      budget: { windowTokens: 2_000, sections: [{ section: 'tools', max: 64 }] },
    })
    expect(shownIds(compile(input))).toEqual(['b', 'c'])
    expect(compile(input).pack?.messages.at(-1)?.text).toContain('TOOLS:\n- b\n- c\n')
  })

  it('A-029: evidence that is wanting is marked, and what a policy requires must be given', () => {
    expect(compile(packInput([], 2_000)).manifest.evidenceNeeded).toBe(true)
    const policy = { ...careful, reserveShare: 0, requires: ['step', 'acceptance'] } as const
    const frame = { step: 'Sum up.', request: 'Go on.' }
    expect(() => compile(packInput([], 2_000, { policy, frame }))).toThrow(
      expect.objectContaining({
        code: 'compile-assertion',
        data: expect.objectContaining({ assertion: 'required-parts' }),
      }),
    )
    const full = { ...frame, acceptance: ['Short.'] }
    expect(compile(packInput([], 2_000, { policy, frame: full })).outcome.kind).toBe('ok')
  })

  it('P-026: a pack that says nothing of what is to be done does not compile', () => {
    const { frame: _, ...silent } = packInput([evidence('a', 5)], 2_000)
    expect(() => compile(silent)).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ assertion: 'task-present' }) }),
    )
    const asked: Item = { id: 'q', section: 'query', kind: 'text', text: 'What now?' }
    expect(compile({ ...silent, items: [asked] }).pack?.messages.at(-1)?.text).toContain('~~~\nWhat now?\n~~~\n')
  })
})

describe('overflow', () => {
  const items = [
    { id: 'p', section: 'policy', kind: 'instruction', text: words('rule', 20) } as const,
    evidence('e1', 60, { scores: { relevance: 0.9 } }),
    evidence('e2', 60, { scores: { relevance: 0.4 } }),
    memory('m', 40),
    turn('t1', 40),
    turn('t2', 40),
  ]
  const run = (overflow: OverflowPolicy, room: number, fields: Partial<CompileInput> = {}) =>
    compile(withRoom(items, room, { policy: { ...careful, reserveShare: 0, overflow }, ...fields }))

  it('P-035: without overflow all policies give the same pack', () => {
    const policies = ['truncate-lowest', 'cascade-compress', 'defer-retrieval', 'fail-loud', 'paginate'] as const
    const packs = policies.map((overflow) => serializePack(run(overflow, 400).pack!))
    expect(new Set(packs).size).toBe(1)
    expect(policies.map((overflow) => run(overflow, 400).manifest.overflow)).toEqual([...policies])
  })

  it('cascade-compress shares what there is', () => {
    const result = run('cascade-compress', 220)
    expect(result.outcome.kind).toBe('ok')
    expect(result.manifest.truncations.length).toBeGreaterThan(0)
    expect(result.manifest.decisions.filter(({ rung }) => rung !== 'omitted').length).toBeGreaterThan(2)
  })

  it('truncate-lowest leaves out whole sections, the least important first', () => {
    const result = run('truncate-lowest', 220)
    expect(['t1', 't2'].map((id) => [rungOf(result, id), reasonOf(result, id)])).toEqual([
      ['omitted', 'overflow'],
      ['omitted', 'overflow'],
    ])
    expect(['p', 'e1', 'e2', 'm'].map((id) => rungOf(result, id))).toEqual(['full', 'full', 'full', 'full'])
  })

  it('defer-retrieval sends the rest and names what waits', () => {
    const result = run('defer-retrieval', 220)
    expect(result.outcome).toEqual({ kind: 'retrieval-pending', omitted: 2, deferredIds: ['e1', 'e2'] })
    expect(reasonOf(result, 'e1')).toBe('deferred')
    expect(['p', 'm', 't1', 't2'].map((id) => rungOf(result, id))).toEqual(['full', 'full', 'full', 'full'])
  })

  it('fail-loud sends nothing, and says what is needed (P-033)', () => {
    const result = run('fail-loud', 220)
    expect(result.pack).toBeUndefined()
    expect(result.outcome).toMatchObject({ kind: 'budget-exhausted' })
    const { neededTokens, availableTokens } = result.outcome as { neededTokens: number; availableTokens: number }
    expect(neededTokens).toBeGreaterThan(availableTokens)
    expect(result.manifest.outcome).toBe('budget-exhausted')
    expect(new Set(result.manifest.decisions.map(({ rung, reason }) => `${rung} ${reason}`))).toEqual(
      new Set(['omitted overflow']),
    )
  })

  it('paginate shows every piece of evidence on exactly one page, and the rest on each', () => {
    const result = run('paginate', 150)
    expect(result.outcome.kind).toBe('paginated')
    const pages = result.outcome.kind === 'paginated' ? result.outcome.pages : []
    expect(pages.length).toBeGreaterThan(1)
    expect(result.pack).toEqual(pages[0])
    const idsOn = pages.map(({ entries }) => entries.map(({ itemId }) => itemId))
    expect(idsOn.every((ids) => ids.includes('p') && ids.includes('m'))).toBe(true)
    expect(['e1', 'e2'].map((id) => idsOn.filter((ids) => ids.includes(id)).length)).toEqual([1, 1])
    expect(reasonOf(result, 'e2')).toBe('deferred')
  })

  it('P-037: fixed tiers that exceed the window are exhausted under every policy', () => {
    for (const overflow of [
      'truncate-lowest',
      'cascade-compress',
      'defer-retrieval',
      'fail-loud',
      'paginate',
    ] as const) {
      const result = compile(packInput(items, 100, { policy: { ...careful, overflow } }))
      expect(result.outcome).toMatchObject({ kind: 'budget-exhausted', sections: ['policy'] })
      expect(result.manifest.decisions).toHaveLength(items.length)
    }
  })

  it('A-049: where only pinned items do not fit, the step has to be split', () => {
    const pinned = [...items, evidence('must', 150, { pin: true }), memory('too', 150, { pin: true })]
    const policy = { ...careful, reserveShare: 0 }
    expect(compile(withRoom(pinned, 220, { policy })).outcome).toMatchObject({ kind: 'split-required' })
  })

  it('P-036: the class of the task chooses; safety-critical fails loud unless the policy says otherwise', () => {
    const overflowFor = { 'batch': 'paginate', 'safety-critical': 'defer-retrieval' } as const
    const policy = { ...careful, reserveShare: 0, overflowFor }
    const chosen = (taskClass: string, own = policy as CompileInput['policy']) =>
      compile(withRoom(items, 400, { policy: own, taskClass })).manifest.overflow
    expect(chosen('safety-critical', { ...careful, reserveShare: 0 })).toBe('fail-loud')
    expect(chosen('chat', { ...careful, reserveShare: 0 })).toBe('cascade-compress')
    expect([chosen('batch'), chosen('safety-critical'), chosen('toString')]).toEqual([
      'paginate',
      'defer-retrieval',
      'cascade-compress',
    ])
  })

  it('A-049: floors that do not fit together ask for the step to be split, and are named', () => {
    const sectionsAsked = [
      { section: 'evidence', min: 150 },
      { section: 'history', min: 100 },
    ]
    const input = withRoom(items, 160)
    const result = compile({ ...input, budget: { ...input.budget, sections: sectionsAsked } })
    expect(result.pack).toBeUndefined()
    expect(result.outcome).toMatchObject({
      kind: 'split-required',
      reason: 'Pinned items and minimums do not fit beside the fixed tiers: evidence, history.',
    })
  })
})

describe('sessions of packs', () => {
  const conversation = (length: number): readonly Item[] => Array.from({ length }, (_, index) => turn(`t${index}`, 20))

  /** Packs of a growing conversation, each given the ledger of the one before. */
  const session = (room: number, lengths: readonly number[]): readonly CompileResult[] => {
    const compiler = newCompiler()
    const results: CompileResult[] = []
    for (const length of lengths) {
      const ledger = results.at(-1)?.ledger
      const input = withRoom(conversation(length), room, ledger === undefined ? {} : { ledger })
      results.push(compiler.compile(JSON.parse(JSON.stringify(input)) as CompileInput))
    }
    return results
  }

  it('X-02: the conversation only grows between cuts, and a cut says why', () => {
    const results = session(220, [8, 12, 13, 14, 15, 16])
    const starts = results.map((result) => shownIds(result)[0])
    expect(starts).toEqual(['t0', 't4', 't4', 't4', 't4', 't8'])
    expect(results.map(({ manifest }) => manifest.epoch?.decision)).toEqual([
      undefined,
      'begin',
      'hold',
      'hold',
      'hold',
      'begin',
    ])
    expect(results.map(({ ledger }) => ledger.epoch)).toEqual([0, 1, 1, 1, 1, 2])
    expect(reasonOf(results[2]!, 't0')).toBe('ledger')
    const [before, after] = [results[2]!, results[3]!].map(({ pack }) =>
      pack!.messages.slice(0, -1).map(({ text }) => text),
    )
    expect(after?.slice(0, before?.length)).toEqual(before)
  })

  it('X-37: keeps the markup of its first pack, which the receipt names, and refuses another', () => {
    const first = compile(withRoom(conversation(4), 220, { markup: 'xml' }))
    const go = (markup?: 'xml' | 'headers'): CompileResult =>
      compile(withRoom(conversation(6), 220, { ledger: first.ledger, ...(markup && { markup }) }))
    for (const next of [go(), go('xml')]) {
      expect(next.manifest.markup).toBe('xml')
      expect(next.pack!.messages.at(-1)!.text).toContain('<user_request>')
      expect(next.ledger).toMatchObject({ markup: 'xml' })
    }
    expect(() => go('headers')).toThrow(/markup: is headers, and the packs of the session are written in xml/)
  })

  it('X-02: a new policy cuts anew', () => {
    const [, cut] = session(220, [8, 14])
    const policy = { ...careful, id: 'other', reserveShare: 0 }
    const { manifest } = compile(withRoom(conversation(15), 220, { ledger: cut!.ledger, policy }))
    expect(manifest.epoch).toMatchObject({ decision: 'begin', cause: 'policy-changed' })
  })
})

describe('receipts', () => {
  const input = withRoom([evidence('a', 40), evidence('b', 40), memory('c', 20), turn('d', 30)], 100, {
    handleKey: 'secret',
    rehydration: true,
  })

  it('P-032, A-023, V-005: the projections carry what the receipt does', () => {
    const { manifest, pack } = compile(input)
    const stamp = { traceId: '2f1e', timestamp: '2026-01-20T00:00:00Z', latencyMs: 3 }
    const trace = compilationTrace(manifest, stamp)
    expect(trace).toMatchObject({ ...stamp, outputHash: pack?.hash, totalTokens: pack?.tokens, configVersion: '1.0.0' })
    const omitted = manifest.decisions.filter(({ rung }) => rung === 'omitted').map(({ itemId }) => itemId)
    expect(trace.excludedItems.map(({ itemId }) => itemId)).toEqual(omitted)
    const receipt = contextPackManifest(manifest, stamp.timestamp)
    expect(receipt).toMatchObject({ packId: pack?.hash, checksum: `sha256:${pack?.hash}`, evidenceNeeded: false })
    expect(receipt.truncationEvents.flatMap(({ droppedIds }) => droppedIds).toSorted()).toEqual(omitted.toSorted())
    const reasons = assemblyReasons(manifest)
    expect(reasons.map(({ category }) => category)).toEqual(manifest.sections.map(({ section }) => section))
    expect(reasons.find(({ category }) => category === 'evidence')).toMatchObject({ reason: 'section-budget' })
  })

  it('A-023: the manifest has id, model, window, budgets, truncations, artifacts, signals and checksum, and the model sees none of it', () => {
    const uri = 'artifact://tasks/42/report.md'
    const kept = {
      id: 'kept',
      section: 'evidence',
      kind: 'evidence',
      text: 'It broke.',
      provenance: { sourceId: 'r', uri },
    } as const
    const { manifest, pack } = compile({
      ...input,
      items: [...input.items, kept],
      model: 'example-1',
      signals: { risk: 'high' },
    })
    const told = contextPackManifest(manifest, '2026-01-20T00:00:00Z')
    expect(told).toMatchObject({ packId: pack?.hash, model: 'example-1', window: input.budget.windowTokens })
    expect(told.checksum).toBe(`sha256:${pack?.hash}`)
    expect(told.artifactUris).toContain(uri)
    expect(told.allocatorSignals).toMatchObject({ risk: 1 })
    expect(told.layerBudgets.length).toBeGreaterThan(5)
    expect(told.truncationEvents.length).toBeGreaterThan(0)
    const sent = pack?.messages.map(({ text }) => text).join('\n') ?? ''
    const own = [
      manifest.packHash,
      manifest.inputHash,
      manifest.policyId,
      ...manifest.decisions.map(({ contentHash }) => contentHash),
    ]
    for (const word of [...own, 'example-1', 'section-budget', 'shadowPrice']) expect(sent).not.toContain(word)
  })

  it('X-16, A-023: the hash of a pack can be made from the pack and tells every changed byte', () => {
    const { pack } = compile(input)
    expect(isIntact(pack!, sha256)).toBe(true)
    const damaged = { ...pack!, messages: pack!.messages.map((m, i) => (i === 0 ? { ...m, text: `${m.text} ` } : m)) }
    expect(isIntact(damaged, sha256)).toBe(false)
    expect(isIntact({ ...pack!, tokens: pack!.tokens + 1 }, sha256)).toBe(false)
    const [first, ...rest] = pack!.entries
    expect(isIntact({ ...pack!, entries: [{ ...first!, text: 'other' }, ...rest] }, sha256)).toBe(false)
    expect(isIntact(JSON.parse(serializePack(pack!)), sha256)).toBe(true)
  })

  it('N-29: a receipt is verified by compiling again, in a compiler that has seen nothing', () => {
    const { manifest, pack } = compile(input)
    const again = { input, manifest, pack: pack!, compile }
    expect(verifyManifest(again)).toMatchObject({ verified: true, differences: [] })
    const changed = { ...manifest, packTokens: manifest.packTokens + 1 }
    expect(verifyManifest({ ...again, manifest: changed }).differences.map(({ field }) => field)).toEqual([
      'packTokens',
    ])
    const other = verifyManifest({ ...again, input: { ...input, handleKey: 'other' } })
    expect(other.differences.map(({ field }) => field)).toEqual(expect.arrayContaining(['inputHash', 'decisions']))
  })

  it('V-067: events tell assembly, compaction and every truncation, in order', () => {
    const { events, manifest } = compile(input)
    expect(events.map(({ type }) => type)).toEqual([
      'context:assembled',
      'context:compacted',
      ...manifest.truncations.map(() => 'context:truncated'),
    ])
  })

  it('P-027: what a compiler has seen before does not change what it gives', () => {
    const compiler = newCompiler()
    const grown = [...input.items, turn('e', 12), evidence('f', 25)]
    const sequence = [input.items, grown, grown.slice(1), input.items, grown.toReversed(), grown]
    for (const items of sequence) {
      const { manifest, pack } = compiler.compile({ ...input, items })
      expect({ manifest, pack }).toEqual(
        (({ manifest: m, pack: p }) => ({ manifest: m, pack: p }))(compile({ ...input, items })),
      )
    }
  })

  it('P-027: an item that was changed in place is read again', () => {
    const compiler = newCompiler()
    const items = [{ ...evidence('a', 5) }, { ...turn('b', 5) }]
    const before = compiler.compile(packInput(items, 2_000)).pack
    ;(items[0] as { text: string }).text = 'something else'
    const after = compiler.compile(packInput(items, 2_000)).pack
    expect(after?.hash).not.toBe(before?.hash)
    expect(after?.messages.at(-1)?.text).toContain('something else')
  })

  it('P-027: what is known of a picture is part of the input', () => {
    const compiler = newCompiler()
    const inputHash = (media: Media | undefined) => {
      const picture = { ...turn('a', 0), kind: 'media' as const, tokens: 9, ...(media && { media }) }
      return compiler.compile(packInput([picture], 2_000)).manifest.inputHash
    }
    const hashes = [undefined, { type: 'image', width: 3 }, { type: 'image', width: 4 }] as const
    expect(new Set(hashes.map(inputHash)).size).toBe(3)
  })

  it('handles depend on the key and not on what stands around', () => {
    const handleIn = (fields: Partial<CompileInput>) =>
      compile({ ...input, ...fields }).manifest.decisions.find(({ rung }) => rung === 'omitted')?.handle
    expect(handleIn({})).toBe(handleIn({ frame: { request: 'Other.' } }))
    expect(handleIn({})).not.toBe(handleIn({ handleKey: 'other' }))
  })
})
