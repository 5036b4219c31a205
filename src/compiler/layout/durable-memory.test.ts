import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item } from '../../core/index.ts'
import { memory, newCompiler, packInput, turn } from '../word-tokens.fixture.ts'
import { durableMemory } from './durable-memory.ts'

const prices = { read: 0.1, write: 1.25 }

describe('memory that moves into the system text', () => {
  const seen = (packs: number) => [{ key: 'a', packs }]
  const shown = [{ index: 4, key: 'a', tokens: 100 }]

  it('has stood the same for three packs in a row', () => {
    const moved = [0, 1, 2, 3].map(
      (packs) => durableMemory({ shown, known: packs === 0 ? [] : seen(packs), behindTokens: 0, prices }).durable,
    )
    expect(moved).toEqual([[], [], [], [4]])
    const changed = [{ ...shown[0]!, key: 'b' }]
    expect(durableMemory({ shown: changed, known: seen(9), behindTokens: 0, prices }).memory).toEqual([
      { key: 'b', packs: 1 },
    ])
  })

  it('moves where that pays: over as many packs again it saves more than writing again what stands behind', () => {
    // Four packs of 100 tokens at .9 saved: 360; each token behind costs 1.15 more.
    const movesBefore = (behindTokens: number) =>
      durableMemory({ shown, known: seen(3), behindTokens, prices }).durable.length === 1
    expect([313, 314].map(movesBefore)).toEqual([true, false])
  })

  it('keeps the order in which it moved, so that nothing before it changes', () => {
    const known = [
      { key: 'b', packs: 9, durable: true },
      { key: 'c', packs: 7, durable: true },
      { key: 'a', packs: 3 },
    ]
    const all = ['a', 'b', 'c', 'd'].map((key, index) => ({ index, key, tokens: 100 }))
    const { durable, memory: next } = durableMemory({ shown: all, known, behindTokens: 0, prices })
    expect(durable).toEqual([1, 2, 0])
    expect(next).toEqual([
      { key: 'b', packs: 10, durable: true },
      { key: 'c', packs: 8, durable: true },
      { key: 'a', packs: 4, durable: true },
      { key: 'd', packs: 1 },
    ])
  })
})

describe('packs of a session with memory', () => {
  const system = ({ pack }: CompileResult): string => pack?.messages[0]?.text ?? ''
  const last = ({ pack }: CompileResult): string => pack?.messages.at(-1)?.text ?? ''

  /** One pack after another, each with the items of its turn. */
  function packs(
    itemsOf: (pack: number) => readonly Item[],
    count: number,
    input: Partial<CompileInput> = {},
  ): readonly CompileResult[] {
    const results: CompileResult[] = []
    for (let pack = 1; pack <= count; pack += 1) {
      const ledger = results.at(-1)?.ledger
      const given = { frame: { request: `Question ${pack}?` }, ...input, ...(ledger && { ledger }) }
      results.push(newCompiler().compile(packInput(itemsOf(pack), 3_000, given)))
    }
    return results
  }

  it('V-073, B-37: what has stood the same stands in the prefix, what is new comes after it and leaves the prefix as it is', () => {
    const results = packs((pack) => [memory('old', 20), ...(pack >= 6 ? [memory('new', 20)] : [])], 12)
    const inPrefix = results.map((result) => system(result).includes('old0'))
    expect(inPrefix).toEqual(Array.from({ length: 12 }, (_, index) => index >= 3))
    for (const result of results) {
      const whole = system(result) + last(result)
      expect(whole.split('old0')).toHaveLength(2)
    }
    // The new entry leaves the prefix as it is, and moves behind the old one when it has stood for three packs.
    expect(system(results[5]!)).toBe(system(results[4]!))
    expect(last(results[5]!)).toContain('new0')
    const moved = results.findIndex((result) => system(result).includes('new0'))
    expect(moved).toBe(8)
    const upTo = system(results[7]!).indexOf('old19') + 'old19'.length
    expect(system(results[8]!).slice(0, upTo)).toBe(system(results[7]!).slice(0, upTo))
    expect(system(results[11]!)).toBe(system(results[8]!))
  })

  it('V-073: a conversation that the cache holds is not written again for it, before it pays', () => {
    const said = Array.from({ length: 10 }, (_, index) => turn(`t${index}`, 40))
    const results = packs(() => [memory('old', 20), ...said], 30)
    const moved = results.findIndex((result) => system(result).includes('old0'))
    // 20 tokens and their line at .9 a pack against 1.15 for each token of ten turns.
    expect(moved).toBeGreaterThan(15)
    expect(moved).toBeLessThan(29)
    for (const [index, result] of results.entries())
      if (index > 0 && index !== moved) expect(system(result)).toBe(system(results[index - 1]!))
  })

  it('V-073: where the conversation is cut anew it moves at once', () => {
    const results = packs(
      (pack) => [memory('old', 20), ...Array.from({ length: pack * 4 }, (_, index) => turn(`t${index}`, 60))],
      14,
    )
    const cut = results.map(({ manifest }) => manifest.epoch?.decision === 'begin')
    const moved = results.findIndex((result) => system(result).includes('old0'))
    expect(moved).toBeGreaterThanOrEqual(3)
    expect(cut[moved]).toBe(true)
    expect(cut.slice(3, moved)).not.toContain(true)
  })
})
