import { describe, expect, it } from 'vitest'
import { compressionFigures } from '../../core/index.ts'
import type { CompressionPolicy, Item, Layout } from '../../core/index.ts'
import { compile, evidence, input, itemOf } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { readPolicy } from '../policy/read-policy.ts'
import { withSettings } from '../policy/apply-settings.ts'

/** Seventy-two words of plain prose that no other passage has. */
const passage = (at: number): string =>
  [
    `The harbour of the old town was for a very long time one of the places that the merchants of the coast liked the most of all.`,
    `It is also really quite well known that the houses around the water were built by people who had come there from the hills in the north.`,
    `In the evenings the boats are still brought back to the shore, and then there is singing in the narrow streets of quarter ${at}.`,
  ].join(' ')

const passages = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, at) => evidence(`e${at}`, passage(at)))

const code =
  'def pay(amount):\n    if amount is not None and amount > 0:\n        return amount * 2\n    raise ValueError("no amount")\n'.repeat(
    4,
  )
const json = JSON.stringify({
  the: 'value of the thing that is in the list of the things',
  rows: [1, 2, 3],
  of: 'the other things',
})

interface Packing {
  readonly items: readonly Item[]
  readonly compression?: CompressionPolicy
  readonly windowTokens?: number
  readonly layout?: Layout
  readonly rehydration?: boolean
}

function pack({ items, compression = {}, windowTokens = 1_000_000, layout = 'payload', rehydration = true }: Packing) {
  const shares = [{ section: 'evidence', min: 0, max: 1, weight: 1 }]
  const policy = { ...careful, compression, reserveShare: 0, shares }
  const { frame, ...rest } = input({ items, policy, budget: { windowTokens }, layout, rehydration })
  const { manifest, pack: made } = compile(layout === 'payload' ? { ...rest, ...(frame && { frame }) } : rest)
  const shown = new Map(made?.entries.map(({ itemId, text }) => [itemId, text]))
  return { manifest, shown, rungs: manifest.decisions.map(({ rung, reason }) => `${rung}: ${reason}`) }
}

describe.each<Layout>(['payload', 'messages'])('compression of prose, layout %s', (layout) => {
  const items = [...passages(6), itemOf('history', 'u', 'And now?', { role: 'user' })]
  const exact = pack({ items, layout: 'messages' }).manifest.originalTokens

  it('G-040: sets in above so many tokens and not at them', () => {
    const at = pack({ items, layout, compression: { above: exact } })
    expect(at.manifest.compression).toBeUndefined()
    expect(at.shown.get('e1')).toBe(passage(1))
    const above = pack({ items, layout, compression: { above: exact - 1 } })
    expect(above.manifest.compression).toMatchObject({ everything: true, items: 6 })
    expect(above.rungs.filter((rung) => rung === 'trimmed: compressed' || rung === 'summary: compressed')).toHaveLength(
      6,
    )
    expect(above.manifest.packTokens).toBeLessThan(at.manifest.packTokens)
  })

  it('G-040: 32,000 tokens are the usual figure', () => {
    const many = passages(380)
    const rest =
      32_000 - pack({ items: many, layout: 'messages', compression: { enabled: false } }).manifest.originalTokens
    const filler = (count: number): Item => evidence('x', 'x '.repeat(count).trim(), { pin: true })
    expect(pack({ items: [...many, filler(rest)], layout }).manifest.compression).toBeUndefined()
    expect(pack({ items: [...many, filler(rest + 1)], layout }).manifest.compression?.everything).toBe(true)
  })

  it('G-040: where the budget is low, only what does not fit is shortened', () => {
    const long = Array.from({ length: 20 }, (_, at) =>
      evidence(`l${at}`, [0, 1, 2, 3].map((part) => passage(at * 4 + part)).join('\n')),
    )
    const many = [...long, ...items.slice(-1)]
    const { packTokens } = pack({ items: many, layout }).manifest
    const roomy = pack({ items: many, layout, windowTokens: Math.floor(packTokens * 1.4) })
    expect(roomy.manifest.compression).toBeUndefined()
    const low = pack({ items: many, layout, windowTokens: Math.floor(packTokens * 0.9) })
    expect(low.manifest.compression?.everything).toBe(false)
    expect(low.manifest.compression?.items).toBeGreaterThan(0)
    expect(low.rungs.filter((rung) => rung.startsWith('full')).length).toBeGreaterThan(2)
    expect(low.rungs.every((rung) => !rung.startsWith('omitted'))).toBe(true)
  })

  it('G-040: code, JSON, results of tools and what is pinned or frozen stand as they came', () => {
    const protectedItems = [
      evidence('code', code),
      evidence('json', json),
      evidence('pinned', passage(7), { pin: true }),
      evidence('frozen', passage(8), { frozen: true }),
      itemOf('history', 'call', '{"q":"the of the"}', {
        kind: 'tool-call',
        role: 'assistant',
        toolName: 'look',
        toolCallId: 'c',
        group: 'g',
      }),
      itemOf('history', 'result', passage(9), {
        kind: 'tool-result',
        role: 'tool',
        toolName: 'look',
        toolCallId: 'c',
        group: 'g',
      }),
    ]
    const { shown } = pack({ items: [...items, ...protectedItems], layout, compression: { above: 0, dialogue: true } })
    for (const { id, text } of protectedItems) expect(shown.get(id)).toBe(text)
    expect(shown.get('e1')).not.toBe(passage(1))
  })

  it('G-041: the switch turns it off', () => {
    const { manifest, shown } = pack({ items, layout, compression: { enabled: false, above: 0 } })
    expect(manifest.compression).toBeUndefined()
    expect(shown.get('e1')).toBe(passage(1))
  })

  it('a text without a handle says that it is an extract, where none can be followed', () => {
    const { shown } = pack({ items, layout, compression: { above: 0 }, rehydration: false })
    expect(shown.get('e1')).toMatch(/^\[extract\]\n/)
    expect(pack({ items, layout, compression: { above: 0 } }).shown.get('e1')).toMatch(
      /^\[extract: rehydrate\("\d{12}"\)\]\n/,
    )
  })
})

describe('compression of prose', () => {
  it('G-041, X-15: what is left is near the ratio, as far as so little says enough', () => {
    for (const keepRatio of [0.8, 0.6, 0.5]) {
      const { manifest } = pack({
        items: passages(40),
        compression: { above: 0, keepRatio, minFidelity: 0 },
        rehydration: false,
      })
      const { tokensBefore, tokensAfter, removedRatio } = manifest.compression!
      expect(Math.abs(tokensAfter / tokensBefore - keepRatio)).toBeLessThan(0.15)
      expect(removedRatio).toBeCloseTo(1 - tokensAfter / tokensBefore, 12)
    }
  })

  it('G-041: without a ratio half is aimed at, and the four newest messages stay', () => {
    const shownWith = (compression: CompressionPolicy) =>
      [
        ...pack({ items: passages(40), compression: { above: 0, minFidelity: 0, ...compression } }).shown.values(),
      ].join()
    expect(shownWith({})).toBe(shownWith({ keepRatio: 0.5 }))
    expect(shownWith({})).not.toBe(shownWith({ keepRatio: 0.6 }))
    expect(compressionFigures({})).toMatchObject({ enabled: true, keepRatio: 0.5, preserveRecent: 4 })
  })

  it('P-048: no passage stands below the least fidelity, however little was asked for', () => {
    for (const minFidelity of [0.95, 0.9, 0.8]) {
      const { manifest } = pack({ items: passages(40), compression: { above: 0, keepRatio: 0.1, minFidelity } })
      expect(manifest.compression?.items).toBe(40)
      expect(manifest.compression?.fidelity).toBeGreaterThanOrEqual(minFidelity)
    }
    const kept = [0.95, 0.9, 0.8].map(
      (minFidelity) =>
        pack({ items: passages(40), compression: { above: 0, keepRatio: 0.1, minFidelity } }).manifest.packTokens,
    )
    expect(kept.toSorted((a, b) => b - a)).toEqual(kept)
  })

  it('G-041: the newest messages stay byte for byte, and words of people only where the policy says so', () => {
    const said = Array.from({ length: 40 }, (_, at) =>
      itemOf('history', `m${at}`, passage(at), { role: at % 2 === 0 ? 'user' : 'assistant' }),
    )
    const compressed = (compression: CompressionPolicy) => {
      const { shown } = pack({ items: said, compression: { above: 0, ...compression } })
      return said.flatMap(({ id, text }, at) => (shown.get(id) === text ? [] : [at]))
    }
    expect(compressed({})).toEqual([])
    expect(compressed({ dialogue: true, preserveRecent: 4 })).toEqual(Array.from({ length: 32 }, (_, at) => at))
    expect(compressed({ dialogue: true, preserveRecent: 30 })).toEqual([])
    expect(compressed({ dialogue: true, preserveRecent: 10 })).toEqual(Array.from({ length: 30 }, (_, at) => at))
  })

  it('the figures are settings by name, of a file and of a request', () => {
    const house = readPolicy({ extends: 'careful', id: 'house', version: '1.0.0', compression: { above: 9 } })
    expect(withSettings(house, { compression_keep_ratio: '0.4', compression_preserve_recent: 2 }).compression).toEqual({
      above: 9,
      keepRatio: 0.4,
      preserveRecent: 2,
    })
    expect(withSettings(careful, { target_compression_ratio: 0.7 }).compression).toEqual({ keepRatio: 0.7 })
    expect(withSettings(careful, { epochs_keep_full: 2 }).compression).toBeUndefined()
    expect(() => withSettings(careful, { compression_keep_ratio: 2 })).toThrow(/compression_keep_ratio/)
  })

  it('the same input gives the same bytes, whatever was compiled before', () => {
    const items = passages(12)
    const first = JSON.stringify([...pack({ items, compression: { above: 0 } }).shown])
    pack({ items: passages(3), compression: { above: 0, keepRatio: 0.2 } })
    expect(JSON.stringify([...pack({ items, compression: { above: 0 } }).shown])).toBe(first)
  })
})
