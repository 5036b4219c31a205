import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item, MediaSubstitute } from '../core/index.ts'
import { compile } from './compilers.ts'
import { toRequest } from './to-request.ts'

const ocr: MediaSubstitute = {
  method: 'ocr',
  text: 'Invoice 4711: 12 chairs, 1,188.00 EUR',
  fidelity: 0.8,
  confidence: 0.9,
}

const scan = (id: string, tokens: number, substitutes: readonly MediaSubstitute[] = [ocr]): Item => ({
  id,
  section: 'evidence',
  kind: 'media',
  role: 'user',
  text: '',
  tokens,
  provenance: { sourceId: 'archive' },
  media: { type: 'image', width: 1280, height: 800, url: `https://archive.example/${id}.png`, substitutes },
})

const words = (id: string, count: number): Item => ({
  id,
  section: 'evidence',
  kind: 'evidence',
  text: `${id} says so. `.repeat(count),
  provenance: { sourceId: id },
})

const packed = (items: readonly Item[], windowTokens: number, more: { rehydration?: boolean } = {}) =>
  compile({ items, budget: { windowTokens }, frame: { request: 'What did the chairs cost?' }, handleKey: 'k', ...more })

describe('P-092: what says in words what a picture shows', () => {
  const items = [scan('a', 3_000)]

  it('stands in its place where the picture does not fit, and the picture itself where it does', () => {
    for (const [windowTokens, isShown] of [
      [8_000, true],
      [2_000, false],
    ] as const) {
      const { pack, manifest } = packed(items, windowTokens)
      const { request, lost } = toRequest(pack!, { items, model: 'claude-sonnet-5' })
      const sent = JSON.stringify(request)
      expect(sent.includes('https://archive.example/a.png')).toBe(isShown)
      expect(sent.includes(ocr.text)).toBe(!isShown)
      expect(manifest.decisions[0]?.rung).toBe(isShown ? 'full' : 'summary')
      expect(lost).toEqual([])
      if (!isShown) expect(sent).toContain('(image, 1280x800)\\nits text, as read, confidence 0.9:')
    }
  })

  it('the truest that fits is taken, and none that is dearer than the picture', () => {
    const long = { method: 'transcript', text: 'All that was said. '.repeat(150), fidelity: 0.95 } as const
    const rungOf = (windowTokens: number, tokens: number) => {
      const { pack } = packed([scan('a', tokens, [ocr, long])], windowTokens)
      return JSON.stringify(pack?.messages)
    }
    expect(rungOf(2_000, 3_000)).toContain(long.text.slice(0, 400))
    expect(rungOf(700, 3_000)).toContain(ocr.text)
    expect(rungOf(700, 300)).not.toContain(long.text.slice(0, 400))
  })

  it('says the handle of the picture only where that can be followed', () => {
    const sent = (rehydration: boolean) => JSON.stringify(packed(items, 2_000, { rehydration }).pack?.messages)
    expect(sent(false)).not.toContain('rehydrate')
    expect(sent(true)).toContain('rehydrate')
    expect(sent(true)).toContain(ocr.text)
  })

  it('P-090: pictures and words share one budget, and the total counts both', () => {
    const any = fc.array(
      fc.oneof(
        fc.integer({ min: 50, max: 2_500 }).map((tokens) => ({ tokens })),
        fc.integer({ min: 3, max: 200 }).map((count) => ({ count })),
      ),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(any, fc.integer({ min: 600, max: 6_000 }), (drawn, windowTokens) => {
        const all = drawn.map((one, index) =>
          'tokens' in one ? scan(`i${index}`, one.tokens, index % 2 === 0 ? [ocr] : []) : words(`w${index}`, one.count),
        )
        const { pack, manifest } = packed(all, windowTokens)
        if (pack === undefined) return
        const shown = new Map(pack.entries.map(({ itemId, text, tokens }) => [itemId, { text, tokens }]))
        for (const { id, kind, tokens = 0 } of all)
          if (kind === 'media' && shown.get(id)?.text === '')
            expect(shown.get(id)?.tokens).toBeGreaterThanOrEqual(tokens)
        const pictures = all.reduce((sum, { id, tokens = 0 }) => sum + (shown.get(id)?.text === '' ? tokens : 0), 0)
        expect(manifest.packTokens).toBeGreaterThanOrEqual(pictures)
        expect(manifest.packTokens).toBeLessThanOrEqual(windowTokens)
      }),
      { numRuns: 60 },
    )
  })
})
