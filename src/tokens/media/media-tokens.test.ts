import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Media } from '../../core/index.ts'
import { mediaDetails, mediaTypes } from '../../core/index.ts'
import { shippedCatalogue } from '../catalogue/catalogue.ts'
import { mediaTokens } from './media-tokens.ts'

const cost = (model: string, media: Media): number => mediaTokens(media, shippedCatalogue.info(model))
const image = (width: number, height: number, detail?: Media['detail']): Media => ({
  type: 'image',
  width,
  height,
  ...(detail === undefined ? {} : { detail }),
})

describe('P-086: images cost what the providers publish', () => {
  it.each([
    ['gpt-4o', image(1024, 1024), 765],
    ['gpt-4o', image(2048, 4096), 1105],
    ['gpt-4o', image(4096, 8192, 'low'), 85],
    ['gpt-5', image(1024, 1024), 70 + 4 * 140],
    ['gpt-4o-mini', image(1024, 1024), 2833 + 4 * 5667],
    ['o1', image(500, 500), 75 + 150],
    ['o4-mini', image(1024, 1024), Math.ceil(1.72 * 1024)],
    ['gpt-4.1-mini', image(1800, 2400), Math.ceil(1.62 * 1452)],
    ['gpt-5.2', image(1800, 2400), 1452],
    ['gpt-5.2', image(1024, 1024, 'low'), 256],
    ['gpt-5.5', image(3200, 3200), 10_000],
    ['gpt-5.5', image(3200, 3200, 'high'), 2500],
    ['gpt-5.6-sol', image(6400, 6400), 40_000],
    ['claude-opus-4-5', image(200, 200), 64],
    ['claude-opus-4-5', image(1000, 1000), 1296],
    ['claude-opus-4-5', image(1092, 1092), 1521],
    ['claude-opus-4-5', image(1920, 1080), 1560],
    ['claude-opus-4-7', image(1920, 1080), 2691],
    ['claude-haiku-4-5', image(2000, 1500), 1564],
    ['claude-sonnet-5', image(2000, 1500), 3888],
    ['claude-sonnet-4', image(2160, 3840), 1560],
    ['claude-opus-5-5', image(3840, 2160), 4784],
    ['gemini-3-flash', image(3840, 2160), 1120],
    ['gemini-3-flash', image(3840, 2160, 'low'), 280],
    ['gemini-2.5-pro', image(384, 384), 256],
    ['gemini-2.0-flash', image(1536, 768), 516],
  ])('%s: %o', (model, media, tokens) => {
    expect(cost(model, media)).toBe(tokens)
  })
})

describe('recordings and files', () => {
  it('P-087, N-32: a minute of sound in frames of 25 ms is 2,400 tokens', () => {
    expect(cost('unheard-of', { type: 'audio', durationMs: 60_000 })).toBe(2400)
  })

  it('a provider has frames of its own', () => {
    expect(cost('gpt-4o', { type: 'audio', durationMs: 60_000 })).toBe(600)
    expect(cost('gemini-3-flash', { type: 'audio', durationMs: 10_000 })).toBe(320)
  })

  it('P-088: a film is its frames, one a second, and its sound', () => {
    expect(cost('gemini-3-flash', { type: 'video', durationMs: 10_000 })).toBe(10 * 70 + 320)
  })

  it('a document is its pages', () => {
    expect(cost('gemini-3-flash', { type: 'document', pages: 7 })).toBe(7 * 560)
    expect(cost('claude-opus-5', { type: 'document', pages: 3 })).toBe(
      3 * cost('claude-opus-5', { type: 'document', pages: 1 }),
    )
  })
})

const models = [
  'gpt-4o',
  'gpt-5',
  'gpt-5.4',
  'gpt-6-sol',
  'o4-mini',
  'claude-opus-4-5',
  'claude-opus-5',
  'gemini-2.5-pro',
  'gemini-3-flash',
  'deepseek-chat',
  'x',
]

describe('whatever is known', () => {
  it.each(models)(
    '%s: nothing known costs something, and a picture as much as its provider ever makes of one',
    (model) => {
      for (const type of mediaTypes) expect(cost(model, { type })).toBeGreaterThan(50)
      const unknown = cost(model, { type: 'image' })
      expect(cost(model, image(0, 0))).toBe(unknown)
      for (const side of [300, 768, 1024, 1600, 2048, 3072])
        for (const other of [0.3, 0.375, 0.6, 1])
          expect(cost(model, image(side, Math.round(side * other), 'high'))).toBeLessThanOrEqual(
            Math.ceil(unknown * 1.02),
          )
    },
  )

  it.each([
    ['gpt-4o', 1445],
    ['gpt-5.2', 1536],
    ['claude-sonnet-4-5', 1521],
    ['claude-opus-5', 4761],
    ['gemini-2.5-pro', 2048],
    ['gemini-3-flash', 1120],
  ])('P-086: a picture behind a URL costs %s up to %i', (model, tokens) => {
    const told = cost(model, { type: 'image', url: 'https://example.org/a.png' })
    expect(told / tokens).toBeCloseTo(1, 1)
    expect(told).toBeGreaterThanOrEqual(tokens)
  })

  it('more bytes of sound, film or paper cost more', () => {
    for (const type of ['audio', 'video', 'document'] as const)
      expect(cost('gpt-4o', { type, sizeBytes: 9e6 })).toBeGreaterThan(cost('gpt-4o', { type, sizeBytes: 1e6 }))
  })

  it('every size gives a whole number, the same for an image on its side, and none beyond its budget', () => {
    const side = fc.integer({ min: 1, max: 20_000 })
    const detail = fc.constantFrom(...mediaDetails)
    const budgets: Readonly<Record<string, number>> = {
      'gpt-4o': 1445,
      'gpt-5.4': 10_000,
      'claude-opus-4-5': 1568,
      'claude-opus-5': 4784,
      'gemini-2.5-pro': 2048,
    }
    fc.assert(
      fc.property(fc.constantFrom(...models), side, side, detail, (model, width, height, closely) => {
        const tokens = cost(model, image(width, height, closely))
        expect(Number.isInteger(tokens) && tokens >= 1).toBe(true)
        expect(tokens).toBeLessThanOrEqual(budgets[model] ?? Infinity)
        expect(cost(model, image(height, width, closely))).toBe(tokens)
      }),
    )
  })
})
