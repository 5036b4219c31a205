import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { codecFor, mediaAt } from '../../codecs/index.ts'
import { careful } from '../../compiler/index.ts'
import type { Dialect, Item, MediaPolicy, MediaSubstitute, Policy } from '../../core/index.ts'
import { itemTokens } from '../../core/index.ts'
import { tokenizerFor } from '../../tokens/index.ts'
import { compile } from '../compilers.ts'
import { openSession } from '../in-process/open-session.ts'
import { toRequest } from '../to-request.ts'
import { cutWav } from './cut-wav.ts'
import { makeShown } from './make-shown.ts'
import { bytesOf, pictureOf } from './pictures.fixture.ts'
import { wav } from './sounds.fixture.ts'

const model = 'claude-sonnet-5'
const picture = await pictureOf(1600, 1200)
const policyOf = (media: MediaPolicy): Policy => ({ ...careful, id: 'media', media })
const making = { types: ['image', 'audio'] } as const

const image = (id: string, more: Partial<NonNullable<Item['media']>> = {}, url = picture): Item => ({
  id,
  section: 'evidence',
  kind: 'media',
  role: 'user',
  text: '',
  provenance: { sourceId: 'archive' },
  media: { ...mediaAt(url), url, ...more },
})

const compiled = (items: readonly Item[], media: MediaPolicy, windowTokens = 20_000) =>
  compile({
    model,
    items,
    making,
    budget: { windowTokens },
    frame: { request: 'What is on it?' },
    handleKey: 'k',
    policy: policyOf(media),
  })

describe.each(['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'] as const)(
  'P-091: pictures of a payload, %s',
  (dialect: Dialect) => {
    it('B-52: are reckoned before the budget is shared and made after it; the request has what was reckoned with', async () => {
      const items = [image('a'), image('b', { region: [100, 200, 500, 400] })]
      const { pack, manifest } = compiled(items, { images: { mostTokens: 500 } })
      const made = await makeShown(pack!, { items, images: sharp })
      const { request, lost } = toRequest(pack!, { items, made, model, dialect })
      const codec = codecFor(dialect)
      const exchange = codec.decode({ body: JSON.stringify(request) })
      const shown = exchange.conversation.items.flatMap(({ id, kind }) =>
        kind === 'media' ? [bytesOf(codec.mediaUrl(exchange, id)!)] : [],
      )
      const sizes = await Promise.all(shown.map((bytes) => sharp(bytes).metadata()))
      expect(lost).toEqual([])
      expect(new Set(sizes.map(({ width, height }) => `${width}x${height}`))).toEqual(new Set(['500x400', '700x525']))
      expect(manifest.decisions.map(({ rung }) => rung)).toEqual(['trimmed', 'trimmed'])
      for (const { tokens } of manifest.decisions) expect(tokens).toBeLessThan(500 + 60)
      expect(JSON.stringify(request)).toContain('shown as 500x400-at-100-200')
    })
  },
)

it('what was not made is an error that says so, never words alone', () => {
  const items = [image('a')]
  const { pack } = compiled(items, { images: { mostTokens: 500 } })
  expect(() => toRequest(pack!, { items, model })).toThrow(/what is shown of media a was not made.*made/)
})

describe('P-092: words in place of media from a fidelity on', () => {
  const words = (fidelity: number, text = 'Twelve chairs and a table.'): MediaSubstitute => ({
    method: 'caption',
    text,
    fidelity,
  })
  const rungOf = (item: Item, media: MediaPolicy) => compiled([item], media).manifest.decisions[0]?.rung

  it.each([
    ['good enough and cheaper', [words(0.8)], 0.8, 'summary'],
    ['not good enough', [words(0.79)], 0.8, 'full'],
    ['dearer than the picture', [words(0.9, 'Chairs. '.repeat(2000))], 0.8, 'full'],
    ['none', [], 0, 'full'],
  ] as const)('%s', (_, substitutes, substituteFrom, rung) => {
    expect(rungOf(image('a', { substitutes }), { substituteFrom })).toBe(rung)
  })

  it('of those that are good enough the cheapest; where the policy does not say, the picture stands as long as there is room', () => {
    const substitutes = [words(0.95, 'Twelve chairs of oak stand about a round table. '.repeat(5)), words(0.85)]
    const { pack } = compiled([image('a', { substitutes })], { substituteFrom: 0.8 })
    expect(pack?.entries[0]?.text).toContain('Twelve chairs and a table.')
    expect(rungOf(image('a', { substitutes }), {})).toBe('full')
  })

  it('the total counts every modality: no entry is off, whatever is shown of what', () => {
    const tokenizer = tokenizerFor(model)
    const sizes = fc.record({
      width: fc.integer({ min: 300, max: 3000 }),
      height: fc.integer({ min: 300, max: 3000 }),
      spoken: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(sizes, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 800, max: 9000 }),
        (drawn, window) => {
          const items = drawn.map(({ width, height, spoken }, index) =>
            image(`i${index}`, { width, height, ...(spoken && { substitutes: [words(0.9)] }) }),
          )
          const { pack, manifest } = compiled(items, { images: { mostTokens: 900 }, substituteFrom: 0.95 }, window)
          if (pack === undefined) return
          const said = tokenizer.count(pack.messages.map(({ text }) => text).join('\n'))
          const beside = pack.entries.reduce((sum, { itemId, text }) => {
            const item = items.find(({ id }) => id === itemId)!
            return sum + itemTokens(tokenizer, item, text) - (text === '' ? 0 : tokenizer.count(text))
          }, 0)
          expect(manifest.packTokens).toBeLessThanOrEqual(window)
          expect(Math.abs(manifest.packTokens - said - beside)).toBeLessThan(40)
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('P-090: modalities in one budget, each with a utility of its own', () => {
  const text = (id: string): Item => ({
    id,
    section: 'evidence',
    kind: 'evidence',
    text: `${id}: ${'the chairs were sold in May and paid in June. '.repeat(150)}`,
    provenance: { sourceId: id },
  })
  const items = [image('picture', { width: 1300, height: 1000 }), text('letter'), text('note')]
  const shownBy = (utility: MediaPolicy['utility']) => {
    const { manifest } = compiled(items, utility === undefined ? {} : { utility }, 3_600)
    return manifest.decisions.filter(({ rung }) => rung === 'full').map(({ itemId }) => itemId)
  }

  it('what a policy says a kind is worth decides what stands whole in the same room', () => {
    expect(shownBy({ image: 20 })).toContain('picture')
    expect(shownBy({ image: 0.01 })).not.toContain('picture')
    expect(shownBy({ image: 0.01 })).toContain('letter')
    expect(shownBy({ audio: 0.01 })).toEqual(shownBy(undefined))
  })
})

describe('P-091: recordings are cut by their frames', () => {
  const spoken = `data:audio/wav;base64,${Buffer.from(wav(8000, 60)).toString('base64')}`
  const data = spoken.slice(spoken.indexOf(',') + 1)

  it('a stretch has whole frames, its own head and nothing besides; what is no WAV of samples is none', () => {
    const bytes = wav(8000, 10)
    const cut = cutWav(bytes, 1_000.07, 3_500)!
    expect(mediaAt(`data:audio/wav;base64,${Buffer.from(cut).toString('base64')}`).durationMs).toBeCloseTo(2_500, 0)
    expect(cut.length).toBe(44 + 2 * 8000 * 2.5)
    expect(cutWav(new Uint8Array(40), 0, 100)).toBeUndefined()
    expect(cutWav(bytes, 20_000, 30_000)).toBeUndefined()
    expect(cutWav(bytes.subarray(0, 30), 0, 100)).toBeUndefined()
  })

  it.each([
    [
      'openai-chat',
      {
        model: 'gpt-5.5',
        messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data, format: 'wav' } }] }],
      },
    ],
    [
      'gemini',
      {
        model: 'gemini-2.0-flash',
        contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'audio/wav', data } }] }],
      },
    ],
  ] as const)(
    '%s: what is longer than the policy gives is cut as it comes in, from the end that it names',
    async (dialect, body) => {
      for (const [keep, form] of [
        [undefined, '0-15000ms'],
        ['end', '45000-60000ms'],
      ] as const) {
        const policy = policyOf({ audio: { mostMs: 15_000, ...(keep && { keep }) } })
        const { request, receipt } = await openSession({ policy }).pack(body)
        const codec = codecFor(dialect)
        const exchange = codec.decode({ body: JSON.stringify(request) })
        const [sound, said] = exchange.conversation.items
        expect(mediaAt(codec.mediaUrl(exchange, sound!.id)!).durationMs).toBe(15_000)
        expect(said?.text).toBe(`(audio, 60s, shown as ${form})`)
        expect(receipt?.manifest.packTokens).toBeLessThan((receipt?.manifest.originalTokens ?? 0) / 3)
      }
    },
  )
})
