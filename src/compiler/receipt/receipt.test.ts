import { describe, expect, it } from 'vitest'
import type { CompileResult, Item } from '../../core/index.ts'
import { stableJson } from '../../core/index.ts'
import { compile, evidence, input, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { costFirst } from '../policy/policies.ts'
import { isIntact } from './pack-hash.ts'
import { compilationTrace } from './projections.ts'

const items: readonly Item[] = [
  itemOf('policy', 'rule', 'Be brief.'),
  evidence('pinned', words(60, 'p'), { pin: true }),
  evidence('low', words(40, 'l'), { scores: { relevance: 0.1 } }),
  evidence('once', 'The same fact.', { scores: { relevance: 0.9 } }),
  evidence('twice', 'The same fact.', { scores: { relevance: 0.8 } }),
  ...Array.from({ length: 20 }, (_, index) =>
    evidence(`e${index}`, words(120, `e${index}x`), { scores: { relevance: 0.4 + index / 50 } }),
  ),
  itemOf('memory', 'm0', words(90, 'm'), { scores: { relevance: 0.7 } }),
  itemOf('history', 'h0', words(50, 'h'), { role: 'user' }),
]
const crowded = input({
  items,
  policy: costFirst,
  model: 'some-model',
  budget: { windowTokens: 2_000 },
  signals: { risk: 'high', expectedToolCalls: 3 },
})
const result = compile(crowded)
const { manifest } = result

const decisionOf = ({ manifest: { decisions } }: CompileResult, id: string) =>
  decisions.find(({ itemId }) => itemId === id)

describe('the receipt of a pack', () => {
  it('V-003, P-032: what is shown and what is left out are all the candidates, each with one reason', () => {
    expect(manifest.decisions.map(({ itemId }) => itemId)).toEqual(items.map(({ id }) => id))
    const reasons = ['rule', 'pinned', 'low', 'once', 'twice'].map((id) => decisionOf(result, id)?.reason)
    expect(reasons).toEqual(['fits', 'pinned', 'below-floor', 'fits', 'duplicate'])
    expect(manifest.decisions.filter(({ reason }) => reason === 'section-budget').length).toBeGreaterThan(3)
    const shown = manifest.decisions.filter(({ rung }) => rung !== 'omitted').map(({ itemId }) => itemId)
    expect(shown.toSorted()).toEqual(result.pack?.entries.map(({ itemId }) => itemId).toSorted())
  })

  it('a section that stands as in the request before is the same value, which need not be written again', () => {
    const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
    const [before, after] = [items, [...items, itemOf('history', 'h1', words(30, 'i'), { role: 'user' })]].map(
      (own) => compiler.compile(input({ items: own, budget: { windowTokens: 20_000 } })).manifest.sections,
    )
    const fresh = after?.filter((section, index) => section !== before?.[index]).map(({ section }) => section)
    expect(fresh).toEqual(['history'])
  })

  it('V-005: one entry per section of the budget, whose tokens and items add up to the pack', () => {
    expect(manifest.sections.map(({ section }) => section)).toEqual(
      result.budget.sections.map(({ section }) => section),
    )
    for (const { section, usedTokens, allocatedTokens, included, excluded, demandTokens } of manifest.sections) {
      const own = manifest.decisions.filter((one) => one.section === section)
      expect(usedTokens).toBe(own.reduce((sum, { tokens }) => sum + tokens, 0))
      const wanted = own.filter(({ reason }) => reason !== 'below-floor' && reason !== 'duplicate')
      expect(demandTokens).toBe(wanted.reduce((sum, { originalTokens }) => sum + originalTokens, 0))
      expect([included, excluded]).toEqual([
        own.filter(({ rung }) => rung !== 'omitted').length,
        own.filter(({ rung }) => rung === 'omitted').length,
      ])
      expect(usedTokens).toBeLessThanOrEqual(allocatedTokens)
    }
    const used = manifest.sections.reduce((sum, { usedTokens }) => sum + usedTokens, 0)
    expect(used + (manifest.frameTokens ?? 0)).toBe(manifest.packTokens)
    expect(manifest.packTokens).toBe(result.pack?.tokens)
  })

  it('P-032: as a trace it names all that was left out with its score, and the tokens that sections asked for in vain', () => {
    const stamp = { traceId: '0', timestamp: '2026-01-05T09:00:00Z', latencyMs: 3 }
    const trace = compilationTrace(manifest, stamp)
    const out = manifest.decisions.filter(({ rung }) => rung === 'omitted')
    expect(trace.excludedItems).toEqual(
      out.map(({ itemId, section, reason, score }) => ({
        itemId,
        section,
        reason,
        ...(score !== undefined && { score }),
      })),
    )
    expect(trace.excludedItems.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['duplicate', 'below-floor', 'section-budget']),
    )
    expect(trace.excludedItems.find(({ reason }) => reason === 'section-budget')?.score).toBeGreaterThan(0)
    const { allocated, used, demanded, overflow } = trace.sectionAllocations['evidence']
    expect([allocated, used].every((tokens) => tokens > 0 && tokens < demanded)).toBe(true)
    expect(overflow).toBe(demanded - allocated)
    expect(trace.sectionAllocations['policy']?.overflow).toBe(0)
    expect(trace).toMatchObject({
      ...stamp,
      configVersion: costFirst.version,
      inputHash: manifest.inputHash,
      outputHash: manifest.packHash,
      totalTokens: result.pack?.tokens,
    })
  })

  it('A-032, P-032: every item that lost something is in exactly one truncation event, with its reason', () => {
    const lost = manifest.decisions.filter(({ rung }) => rung !== 'full' && rung !== 'lossless')
    const told = manifest.truncations.flatMap(({ section, reason, rung, itemIds }) =>
      itemIds.map((itemId) => ({ itemId, section, reason, rung })),
    )
    const byId = (one: { readonly itemId: string }, other: { readonly itemId: string }) =>
      one.itemId < other.itemId ? -1 : 1
    expect(told.toSorted(byId)).toEqual(
      lost.map(({ itemId, section, reason, rung }) => ({ itemId, section, reason, rung })).toSorted(byId),
    )
    const removed = manifest.truncations.reduce((sum, { removedTokens }) => sum + removedTokens, 0)
    expect(removed).toBe(lost.reduce((sum, { originalTokens, tokens }) => sum + originalTokens - tokens, 0))
  })

  it('A-023, A-048, P-008, P-032, P-077: names model, policy, window, budgets, signals and the shadow price', () => {
    expect(manifest).toMatchObject({
      schema: 'prehend.manifest/1',
      model: 'some-model',
      policyId: 'cost-first',
      policyVersion: costFirst.version,
      overflow: 'cascade-compress',
      tokenizerId: 'words',
      outcome: 'ok',
      windowTokens: 2_000,
      reserveTokens: 200,
      signals: { risk: 1, expectedToolCalls: 0.5 },
    })
    expect(manifest.shadowPrice).toBeGreaterThan(0)
    expect(manifest.utilisation).toBeCloseTo(manifest.packTokens / 1_800, 10)
  })

  it('A-023, A-029: says where a pack has no evidence', () => {
    expect(manifest.evidenceNeeded).toBeUndefined()
    expect(compile(input()).manifest.evidenceNeeded).toBe(true)
  })

  it('A-023, B-63, X-16, X-24: the hash of the pack is SHA-256 over all that is sent, and its id', () => {
    const pack = result.pack
    if (pack === undefined) throw new Error('no pack')
    expect(pack.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(manifest.packHash).toBe(pack.hash)
    expect(isIntact(pack, sha256)).toBe(true)
    const [message, ...rest] = pack.messages
    const [entry, ...entries] = pack.entries
    if (message === undefined || entry === undefined) throw new Error('an empty pack')
    const forged = [
      { ...pack, messages: [{ ...message, text: message.text.replace('brief', 'rude.') }, ...rest] },
      { ...pack, messages: [{ ...message, role: 'user' as const }, ...rest] },
      { ...pack, entries: [{ ...entry, itemId: 'other' }, ...entries] },
      { ...pack, entries: [{ ...entry, text: `${entry.text} ` }, ...entries] },
      { ...pack, tokens: pack.tokens + 1 },
      { ...pack, breakpoints: [{ itemId: entry.itemId, ttlMs: 1 }] },
    ]
    expect(forged.map((one) => isIntact(one, sha256))).toEqual(forged.map(() => false))
  })

  it('P-032: whatever is changed in the input changes the hash of the input; the same input does not', () => {
    const { inputHash } = compile(crowded).manifest
    const [first, ...others] = items
    if (first === undefined) throw new Error('no items')
    const changed = [
      { items: others },
      { items: [...others, first] },
      { items: [{ ...first, text: 'Be brief' }, ...others] },
      { items: [{ ...first, authority: 'system' as const }, ...others] },
      { items: [{ ...first, scores: { utility: 0.5 } }, ...others] },
      { budget: { windowTokens: 2_001 } },
      { policy: { ...costFirst, costSensitivity: 0.5 } },
      { model: 'other-model' },
      { frame: { request: 'Another.' } },
      { signals: { risk: 'low' as const } },
      { handleKey: 'other' },
      { rehydration: false },
      { nowMs: 5 },
    ]
    const hashes = changed.map((change) => compile({ ...crowded, ...change }).manifest.inputHash)
    expect(new Set([inputHash, ...hashes]).size).toBe(changed.length + 1)
    expect(compile(structuredClone(crowded)).manifest.inputHash).toBe(inputHash)
    expect(stableJson(manifest)).not.toContain(crowded.handleKey === undefined ? '' : `"${crowded.handleKey}"`)
  })

  it('X-16, X-27: holds neither ids nor times of its own: made again at another time, it is the same', () => {
    const later = compile(structuredClone(crowded))
    expect(stableJson(later.manifest)).toBe(stableJson(manifest))
  })

  it('V-067, X-27: events are projections of the receipt, each once', () => {
    const types = result.events.map(({ type }) => type)
    expect(types.filter((type) => type === 'context:assembled')).toHaveLength(1)
    expect(types.filter((type) => type === 'context:compacted')).toHaveLength(1)
    expect(result.events.flatMap((one) => (one.type === 'context:truncated' ? [one.event] : []))).toEqual(
      manifest.truncations,
    )
    expect(result.events[0]).toEqual({
      type: 'context:assembled',
      turn: 1,
      sections: manifest.sections.filter(({ included }) => included > 0).length,
      tokens: manifest.packTokens,
    })
    expect(compile(input()).events.map(({ type }) => type)).toEqual(['context:assembled'])
  })
})
