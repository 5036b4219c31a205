import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item } from '../../core/index.ts'
import { compile, evidence, input, itemOf, words } from '../compile-input.fixture.ts'
import { absoluteBudget } from './absolute-budget.ts'
import { compressionBands, compressionOf } from './compression-bands.ts'
import { gateway128k } from './gateway-128k.ts'

const budget = absoluteBudget(gateway128k)

const pack = (items: readonly Item[], changes: Partial<CompileInput> = {}): CompileResult =>
  compile(input({ items, budget, ...changes }))

const many = (count: number, make: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

const shownOf = ({ pack: sent }: CompileResult, section: string): readonly string[] =>
  (sent?.entries ?? []).filter((entry) => entry.section === section).map(({ itemId }) => itemId)

const tool = (index: number): Item =>
  itemOf('tools', `t${index}`, '{"type":"object"}', {
    kind: 'tool-schema',
    toolName: `tool${index}`,
    scores: { relevance: index / 100 },
  })

/** Lines of eight words. */
const lines = (count: number, name: string): string =>
  Array.from({ length: count }, (_, line) => words(8, `${name}${line}y`)).join('\n')

/** A turn of the user with its reply, long enough to be shortened. */
const turns = (count: number): readonly Item[] =>
  many(count, (index) => itemOf('history', `ask${index}`, lines(20, `a${index}x`), { role: 'user' })).flatMap(
    (asked, index) => [asked, itemOf('history', `say${index}`, lines(20, `s${index}x`), { role: 'assistant' })],
  )

const rungsOf = ({ manifest }: CompileResult): Readonly<Record<string, string>> =>
  Object.fromEntries(manifest.decisions.map(({ itemId, rung }) => [itemId, rung]))

describe('slots that bound tools, results and turns', () => {
  it('G-028, G-030: of 20 tools, memories and results the best 12, 10 and 8 are shown, whatever room is left', () => {
    const ranked = (section: string) => (index: number) =>
      itemOf(section, `${section}${index}`, `Fact ${index} of ${section}.`, {
        scores: { relevance: index / 100 },
        provenance: { sourceId: 's' },
      })
    const result = pack([...many(20, tool), ...many(20, ranked('memory')), ...many(20, ranked('evidence'))])
    const best = (name: string, count: number) =>
      many(count, (index) => tool(19 - index)).map(({ id }) => id.replace('t', name))
    expect([...shownOf(result, 'tools')].toSorted()).toEqual([...best('t', 12)].toSorted())
    expect([...shownOf(result, 'memory')].toSorted()).toEqual([...best('memory', 10)].toSorted())
    expect([...shownOf(result, 'evidence')].toSorted()).toEqual([...best('evidence', 8)].toSorted())
    const left = result.manifest.decisions.filter(({ rung }) => rung === 'omitted')
    expect(left.map(({ reason, handle }) => [reason, handle === undefined])).toEqual(
      left.map(() => ['section-budget', false]),
    )
    expect(result.pack?.messages.at(-1)?.text).toContain('12 more not shown')
  })

  it('what is pinned counts first, and more of it than there may be is refused by name', () => {
    const pinned = (count: number) => many(20, (index) => ({ ...tool(index), ...(index < count && { pin: true }) }))
    expect(shownOf(pack(pinned(2)), 'tools')).toEqual(expect.arrayContaining(['t0', 't1', 't19', 't10']))
    expect(shownOf(pack(pinned(2)), 'tools')).toHaveLength(12)
    expect(pack(pinned(13)).outcome).toMatchObject({
      kind: 'split-required',
      reason: 'Section tools must show 13 items and may show 12.',
    })
  })

  it('a group goes as a whole', () => {
    const items = many(9, (index) => evidence(`e${index}`, `Fact ${index}.`, { scores: { relevance: index / 10 } }))
    const paired = itemOf('memory', 'm', 'Why fact 0 matters.', { group: 'g' })
    const result = pack([...items.map((item, index) => (index === 0 ? { ...item, group: 'g' } : item)), paired])
    expect(rungsOf(result)).toMatchObject({ e0: 'omitted', m: 'omitted', e1: 'full' })
  })

  it('G-028, G-030: the ten newest turns stand verbatim, older ones shortened, in 2,000 tokens at most', () => {
    const result = pack(turns(12))
    const rungs = rungsOf(result)
    for (let index = 2; index < 12; index += 1)
      expect([rungs[`ask${index}`], rungs[`say${index}`]]).toEqual(['full', 'full'])
    for (const index of [0, 1]) expect(rungs[`say${index}`]).not.toBe('full')
    expect(rungsOf(pack(turns(10)))).not.toContain('omitted')
    const older = pack(turns(300)).manifest.decisions.slice(0, 2 * 290)
    expect(older.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(2_000)
    expect(older.at(-1)?.rung).not.toBe('omitted')
  })

  it('a session cuts its turns in batches: between two cuts what was shown stays as it was', () => {
    let ledger: CompileResult['ledger'] | undefined
    let cuts = 0
    for (let count = 9; count <= 20; count += 1) {
      const result = pack(turns(count), ledger === undefined ? {} : { ledger })
      const whole = turns(count).filter(({ id }) => rungsOf(result)[id] === 'full' && id.startsWith('ask'))
      expect(whole.length).toBeGreaterThanOrEqual(Math.min(count, 8))
      expect(whole.length).toBeLessThanOrEqual(10)
      if (result.manifest.epoch?.decision === 'begin') cuts += 1
      ledger = result.ledger
    }
    expect(cuts).toBeGreaterThan(1)
    expect(cuts).toBeLessThanOrEqual(5)
  })

  describe('of a conversation that keeps its structure', () => {
    const shown = { layout: 'messages', rehydration: true, handleKey: 'k' } as const
    const wholeTurns = (result: CompileResult, count: number): number =>
      Array.from({ length: count }, (_, index) => rungsOf(result)[`ask${index}`]).filter((rung) => rung === 'full')
        .length

    it('G-030: at most ten turns stand verbatim, the newest, and older ones take 2,000 tokens', () => {
      const result = pack(turns(20), shown)
      const older = result.manifest.decisions.slice(0, 2 * 10)
      expect(older.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(2_000)
      expect(older.filter(({ rung }) => rung !== 'full').length).toBeGreaterThan(0)
      for (const { rung } of result.manifest.decisions.slice(2 * 12)) expect(rung).toBe('full')
      expect(wholeTurns(pack(turns(10), shown), 10)).toBe(10)
    })

    it('between two cuts every request goes on where the one before ended', () => {
      let ledger: CompileResult['ledger'] | undefined
      let before: readonly string[] = []
      let cuts = 0
      for (let count = 9; count <= 24; count += 1) {
        const result = pack(turns(count), { ...shown, ...(ledger && { ledger }), nowMs: count * 1_000 })
        const texts = result.pack!.entries.map(({ text }) => text)
        const begins = result.manifest.epoch?.decision === 'begin'
        if (begins) cuts += 1
        else expect(texts.slice(0, before.length)).toEqual(before)
        expect(wholeTurns(result, count)).toBeGreaterThanOrEqual(Math.min(count, 8))
        ;({ ledger } = result)
        before = texts
      }
      expect(cuts).toBeGreaterThan(1)
      expect(cuts).toBeLessThanOrEqual(6)
    })

    it('what was said cannot be taken out: older turns are as short as they can be, and no request fails for them', () => {
      const result = pack(turns(200), shown)
      expect(result.outcome.kind).toBe('ok')
      expect(result.pack!.entries).toHaveLength(400)
      expect(wholeTurns(result, 200)).toBe(8)
    })
  })

  it.each(['policy', 'role', 'query'])('G-030: a maximum of %s is held in a conversation, too', (section) => {
    const items = [itemOf(section, 'p', words(9_001), { role: section === 'query' ? 'user' : 'system' })]
    expect(pack(items, { layout: 'messages' }).outcome).toMatchObject({
      kind: 'split-required',
      reason: expect.stringContaining(`Section ${section} must show 9001 tokens`),
    })
  })

  it('G-030: maxima of system and query are held, or the compile is refused and names the section', () => {
    expect(pack([itemOf('policy', 'p', words(1_900))]).outcome.kind).toBe('ok')
    expect(pack([itemOf('policy', 'p', words(2_001))]).outcome).toMatchObject({
      kind: 'split-required',
      reason: expect.stringContaining('Section policy must show'),
    })
    expect(pack([itemOf('query', 'q', words(8_001))]).outcome).toMatchObject({
      kind: 'split-required',
      reason: expect.stringContaining('Section query must show'),
    })
  })

  it('a conversation that keeps its structure refuses by name what it cannot honour', () => {
    const removed = { windowTokens: 9_000, sections: [{ section: 'history', mostRemoved: 0.5 }] }
    const asked = input({ items: turns(2), budget: removed, layout: 'messages' })
    expect(() => compile(asked)).toThrow('budget.sections[0].mostRemoved: is of layout payload')
    const limits = { windowTokens: 9_000, sections: [{ section: 'tools', maxItems: 12 }] }
    const { outcome } = compile(input({ items: many(13, tool), budget: limits, layout: 'messages' }))
    expect(outcome).toMatchObject({ kind: 'split-required' })
  })
})

describe('bands of compression', () => {
  const sections = [{ section: 'evidence', max: 300, mostRemoved: 0.5 }]

  it('G-029: no shown item has lost more than its section tolerates, at any budget', () => {
    const logs = many(6, (index) =>
      evidence(
        `e${index}`,
        Array.from({ length: 12 }, (_, line) => `${line} ${words(9, `w${index}y${line}`)}.`).join('\n'),
      ),
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), fc.double({ min: 0, max: 1, noNaN: true }), (max, mostRemoved) => {
        const bounded = { windowTokens: 10_000, sections: [{ section: 'evidence', max, mostRemoved }] }
        for (const { rung, tokens, originalTokens } of pack(logs, { budget: bounded }).manifest.decisions)
          if (rung !== 'omitted') expect(tokens).toBeGreaterThanOrEqual(Math.floor(originalTokens * (1 - mostRemoved)))
      }),
    )
    const free = { windowTokens: 10_000, sections: [{ section: 'evidence', max: 300 }] }
    const least = (given: CompileInput['budget']) =>
      Math.min(
        ...pack(logs, { budget: given })
          .manifest.decisions.filter(({ rung }) => rung !== 'omitted')
          .map(({ tokens, originalTokens }) => tokens / originalTokens),
      )
    expect(least(free)).toBeLessThan(0.5)
    expect(least({ windowTokens: 10_000, sections })).toBeGreaterThanOrEqual(0.5)
  })

  it('G-029: the query and the system text are never compressed, and the receipt tells how far the rest was', () => {
    const query = itemOf('query', 'q', words(400))
    const result = pack([query, itemOf('policy', 'p', words(100)), ...many(40, tool)])
    expect(result.pack?.messages.at(-1)?.text).toContain(query.text)
    expect(compressionOf(result.manifest)).toEqual([
      { section: 'policy', removedRatio: 0, place: 'within' },
      { section: 'tools', removedRatio: 0.7, place: 'within' },
      { section: 'query', removedRatio: 0, place: 'within' },
    ])
    expect(compressionOf(result.manifest, { tools: [0.1, 0.2] })).toEqual([
      { section: 'tools', removedRatio: 0.7, place: 'above' },
    ])
    expect(compressionBands.evidence).toEqual([0.5, 0.8])
  })
})
