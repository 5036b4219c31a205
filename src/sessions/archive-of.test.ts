import { describe, expect, it } from 'vitest'
import { careful } from '../compiler/index.ts'
import { evidence, memory } from '../core/index.ts'
import type { CompileResult, Item } from '../core/index.ts'
import { archiveOf } from './archive-of.ts'
import { compile } from './compilers.ts'

const facts = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name} ${at} was written down on a quiet day by the clerk.`).join('\n')

const items: readonly Item[] = [
  ...Array.from({ length: 10 }, (_, at) =>
    evidence(facts(`note ${at}`, 12), `note ${at}`, { id: `e${at}`, scores: { relevance: 0.9 - at / 20 } }),
  ),
  evidence(`${facts('vault', 8)}\nThe vault opens with 7716.`, 'vault', { id: 'vault', scores: { relevance: 0.05 } }),
  ...Array.from({ length: 6 }, (_, at) => memory(facts(`habit ${at}`, 10), { id: `m${at}` })),
]

const packed = (given: readonly Item[] = items, windowTokens = 1_800): CompileResult =>
  compile({
    items: given,
    policy: { ...careful, id: 'steps', relief: ['drop-memory', 'drop-evidence'] },
    budget: { windowTokens },
    frame: { request: 'What opens the vault?' },
    rehydration: true,
    handleKey: 'key',
  })

const shown = ({ pack }: CompileResult): string => pack?.messages.map(({ text }) => text).join('\n') ?? ''
const within = ({ pack, budget }: CompileResult): boolean =>
  (pack?.tokens ?? Infinity) <= budget.windowTokens - budget.reserveTokens

describe('the archive of a payload', () => {
  it('N-37: every id that is left out or shortened brings back its original, and every list what it lists', async () => {
    for (const windowTokens of [900, 1_300, 1_800, 2_600, 4_000]) {
      const { manifest } = packed(items, windowTokens)
      const archive = archiveOf(items, manifest)
      const lesser = manifest.decisions.filter(({ rung }) => rung !== 'full' && rung !== 'lossless')
      expect(lesser.length).toBeGreaterThan(0)
      for (const { itemId, handle = '' } of lesser) {
        const { text, found } = await archive.rehydrate({ handle })
        expect([found, text]).toEqual([true, items.find(({ id }) => id === itemId)?.text])
      }
      for (const { handle, items: count } of manifest.omissions ?? []) {
        const { text } = await archive.rehydrate({ handle })
        expect(text.split('\n')).toHaveLength(count + 1)
      }
    }
  })

  it('V-025: a model finds what was left out: by the note in its payload, its list and a handle, and by a topic', async () => {
    const first = packed()
    expect(shown(first)).not.toContain('7716')
    const archive = archiveOf(items, first.manifest)
    const list = /more not shown: rehydrate\("(\d{12})"\)/.exec(shown(first))?.[1] ?? ''
    const listed = await archive.rehydrate({ handle: list })
    const handle = /^\[(\d{12})\] vault,/m.exec(listed.text)?.[1] ?? ''
    expect((await archive.rehydrate({ handle })).text).toContain('The vault opens with 7716.')
    const { text, fetched } = await archive.rehydrate({ about: 'vault opens' })
    expect(text).toContain('7716')
    expect(fetched?.[0]).toEqual({ handle, leftOut: expect.objectContaining({ itemId: 'vault', rung: 'omitted' }) })
  })

  it('P-070: what is recalled displaces what is worth less, within the window, and goes back after the step', () => {
    const first = packed()
    const archive = archiveOf(items, first.manifest)
    const { handle = '' } = first.manifest.decisions.find(({ itemId }) => itemId === 'vault') ?? {}
    const step = packed(archive.recalled([handle]))
    expect([shown(step).includes('7716'), within(step)]).toEqual([true, true])
    const lost = (result: CompileResult): readonly string[] =>
      result.manifest.decisions.filter(({ rung }) => rung === 'omitted').map(({ itemId }) => itemId)
    const displaced = lost(step).filter((id) => !lost(first).includes(id))
    expect(displaced.length).toBeGreaterThan(0)
    expect(displaced).not.toContain('e0')
    const after = packed(items)
    expect(after.pack?.hash).toBe(first.pack?.hash)
    expect(() => archive.recalled(['123456789012'])).toThrow(/handles\[0\]/)
  })
})
