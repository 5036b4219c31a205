import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import type { CompileInput, Item } from '../../core/index.ts'
import { compile as compileAny } from '../../sessions/index.ts'
import { ablate } from './ablate.ts'
import { comparePacks, isUnchanged } from './compare-packs.ts'

const compile = (input: CompileInput) => compileAny(input)
const text = (count: number, name: string): string =>
  Array.from({ length: count }, (_, at) => `${name} ${at}.`).join(' ')
const found = (id: string, words: string, relevance = 0.5): Item => {
  return { id, section: 'evidence', kind: 'evidence', text: words, provenance: { sourceId: id }, scores: { relevance } }
}
const rule: Item = {
  id: 'rule',
  section: 'policy',
  kind: 'instruction',
  role: 'system',
  text: 'Answer from the evidence.',
}
const known: Item = { id: 'known', section: 'memory', kind: 'memory', text: text(60, 'The user likes') }

const inputOf = (items: readonly Item[], windowTokens = 4_000): CompileInput => ({
  items,
  budget: { windowTokens },
  policy: careful,
  layout: 'payload',
  frame: { request: 'What broke the build?' },
})

const items = [rule, known, found('a', text(80, 'It broke on Monday'), 0.9), found('b', text(80, 'It rained'), 0.2)]

describe('two packs', () => {
  const before = compile(inputOf(items))
  const edited = [rule, known, found('a', text(90, 'It broke on Sunday'), 0.9), found('c', 'A new one.')]

  it('P-073: are compared by section: added, removed, modified, tokens, totals and utilisation', () => {
    const after = compile(inputOf(edited))
    const { delta, sections, packTokens, utilisation, decisions, settings } = comparePacks(before, after)
    expect(delta.added['evidence']?.map(({ id, text: shown }) => [id, shown])).toEqual([['c', 'A new one.']])
    expect(delta.removed).toEqual({ evidence: ['b'] })
    expect(delta.modified['evidence']?.map(({ id }) => id)).toEqual(['a'])
    expect(sections.map(({ section }) => section)).toEqual(['evidence'])
    expect(sections[0]?.usedTokens.delta).toBe(delta.tokenDeltas['evidence'])
    expect(packTokens).toEqual({
      before: before.manifest.packTokens,
      after: after.manifest.packTokens,
      delta: after.manifest.packTokens - before.manifest.packTokens,
    })
    expect(utilisation.delta).toBeCloseTo(after.manifest.utilisation - before.manifest.utilisation, 12)
    expect(decisions.map(({ itemId, edited: isEdited }) => [itemId, isEdited])).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
    ])
    expect(settings).toEqual([])
  })

  it('of which only the window differs show what it cost each item, and that it was the window', () => {
    const tight = compile(inputOf(items, 900))
    const { settings, decisions, delta } = comparePacks(before, tight)
    expect(settings.find(({ name }) => name === 'windowTokens')).toEqual({
      name: 'windowTokens',
      before: '4000',
      after: '900',
    })
    const lost = decisions.filter((one) => (one.after?.tokens ?? 0) < (one.before?.tokens ?? 0))
    expect(lost.length).toBeGreaterThan(0)
    expect(lost[0]).toMatchObject({
      edited: false,
      before: { rung: 'full', reason: 'fits' },
      after: { reason: 'section-budget' },
    })
    expect(delta.tokenDelta).toBeLessThan(0)
  })

  it('that are the same do not differ, and there and back every figure turns its sign', () => {
    const words = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 120 })), {
      maxLength: 5,
    })
    const inputs = fc.tuple(words, fc.constantFrom(500, 900, 4_000)).map(([all, windowTokens]) => {
      const byId = new Map(all.map(([id, count]) => [id, found(id, text(count, `It is ${id}`), count / 120)]))
      return inputOf([rule, ...byId.values()], windowTokens)
    })
    fc.assert(
      fc.property(inputs, inputs, (one, other) => {
        const [a, b] = [compile(one), compile(other)]
        expect(isUnchanged(comparePacks(a, compile(structuredClone(one))))).toBe(true)
        const there = comparePacks(a, b)
        const back = comparePacks(b, a)
        expect(there.packTokens.delta + back.packTokens.delta).toBe(0)
        expect(there.delta.tokenDelta + back.delta.tokenDelta).toBe(0)
        const turned = new Map(back.sections.map((section) => [section.section, section]))
        expect(turned.size).toBe(there.sections.length)
        for (const { section, usedTokens } of there.sections)
          expect(usedTokens.delta + (turned.get(section)?.usedTokens.delta ?? NaN)).toBe(0)
        expect(isUnchanged(there)).toBe(JSON.stringify(a.manifest) === JSON.stringify(b.manifest))
      }),
      { numRuns: 60 },
    )
  })
})

describe('ablation', () => {
  it('says of each section what it took, and what it kept others from', () => {
    const all = inputOf([...items, found('c', text(200, 'It snowed'), 0.6)], 1_500)
    const tight = { ...all, budget: { ...all.budget, sections: [{ section: 'memory', min: 500 }] } }
    const made = ablate(tight, { compile })
    expect(made.map(({ name }) => name)).toEqual(['policy', 'memory', 'evidence'])
    const memory = made.find(({ name }) => name === 'memory')!
    expect(memory.itemIds).toEqual(['known'])
    expect(memory.comparison?.delta.removed).toEqual({ memory: ['known'] })
    const direct = compile(tight).manifest.decisions.find(({ itemId }) => itemId === 'known')!.tokens
    const gained = memory.comparison!.decisions.filter(({ itemId }) => itemId !== 'known')
    expect(memory.displaced).toEqual(
      gained.filter(({ before, after }) => after!.tokens > before!.tokens).map(({ itemId }) => itemId),
    )
    expect(memory.displaced!.length).toBeGreaterThan(0)
    expect(memory.savedTokens).toBeLessThan(direct)
  })

  it('of items leaves out their groups, and tells of what cannot be left out', () => {
    const call: Item = {
      id: 'call',
      section: 'history',
      kind: 'tool-call',
      role: 'assistant',
      text: '{}',
      toolName: 't',
      toolCallId: '1',
      group: 'g',
    }
    const answer: Item = { ...call, id: 'answer', kind: 'tool-result', role: 'tool', text: 'Done.' }
    const [alone] = ablate(inputOf([...items, call, answer]), { compile, by: 'item', names: ['answer'] })
    expect(alone?.itemIds).toEqual(['call', 'answer'])
    const needs = { ...inputOf(items), policy: { ...careful, id: 'needs', requires: ['evidence'] as const } }
    const [evidence] = ablate(needs, { compile, names: ['evidence'] })
    expect(evidence).toEqual({ name: 'evidence', itemIds: ['a', 'b'], outcome: 'compile-assertion' })
    expect(() => ablate(needs, { compile, names: ['evidnce'] })).toThrow(
      /names\[0\]: the input has no section "evidnce"/,
    )
  })

  it('P-074: ranks what is missed first, and what nobody would miss at 0', () => {
    const answered = (result: ReturnType<typeof compile>): number =>
      result.pack!.messages.some(({ text: said }) => said.includes('It broke on Monday')) ? 1 : 0
    const made = ablate(inputOf(items), { compile, by: 'item', worth: answered })
    expect(made.map(({ name, worth }) => [name, worth])).toEqual([
      ['a', 1],
      ['rule', 0],
      ['known', 0],
      ['b', 0],
    ])
    const bySection = ablate(inputOf(items), { compile, worth: answered })
    expect(bySection[0]).toMatchObject({ name: 'evidence', worth: 1 })
    expect(bySection.slice(1).map(({ worth }) => worth)).toEqual([0, 0])
  })

  it('P-002: context has a schema and versions, stays in bounds, says what is in and out and why, and can be ablated and compared', () => {
    const tight = inputOf([...items, found('c', text(300, 'It snowed'), 0.1)], 1_000)
    const { manifest, pack } = compile(tight)
    expect([manifest.schema, manifest.policyVersion]).toEqual(['prehend.manifest/1', careful.version])
    expect(pack!.tokens).toBeLessThanOrEqual(1_000)
    expect(manifest.decisions.map(({ itemId }) => itemId).toSorted()).toEqual(
      tight.items.map(({ id }) => id).toSorted(),
    )
    for (const { reason, tokens, originalTokens } of manifest.decisions) {
      expect(reason).not.toBe('')
      expect(tokens).toBeLessThanOrEqual(originalTokens)
    }
    // The gate of a regression: what a change of a policy may cost on this input.
    const priced = compile({
      ...tight,
      policy: { ...careful, id: 'other', version: '9.0.0', floors: { ...careful.floors, relevance: 0.15 } },
    })
    const gate = comparePacks({ manifest, pack: pack! }, priced)
    expect(gate.settings.map(({ name }) => name)).toEqual(['policyId', 'policyVersion'])
    expect(gate.decisions.filter(({ after }) => after?.reason === 'below-floor').map(({ itemId }) => itemId)).toEqual([
      'c',
    ])
    expect(gate.packTokens.delta).toBeLessThanOrEqual(0)
    expect(ablate(tight, { compile }).every(({ savedTokens }) => savedTokens !== undefined)).toBe(true)
    expect(() => compile({ ...tight, budget: { windowTokens: -1 } })).toThrow(/windowTokens/)
  })
})
