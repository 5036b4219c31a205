import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codecCases, crossingProperties } from '../testing/index.ts'
import type { Draw } from '../testing/index.ts'
import { codecFor, crossRequest } from './index.ts'

// A taste; bench/fuzz-codecs.ts makes as many as one likes.
const numRuns = 60

const shrinking = (g: fc.GeneratorValue): Draw => ({
  whole: (most) => g(fc.nat, most),
  text: () => g(fc.string, { unit: 'binary', maxLength: 20 }),
})
const sides = Object.entries(codecCases).map(([dialect, cases]) => ({ dialect, codec: codecFor(dialect), cases }))
const pairs = sides.flatMap((from) => sides.filter((to) => to !== from).map((to) => ({ from, to })))

describe.each(pairs)('from $from.dialect to $to.dialect', ({ from, to }) => {
  it.each(Object.entries(crossingProperties))('%s', { timeout: 60_000 }, (_, holds) => {
    fc.assert(
      fc.property(fc.gen(), (g) => holds(shrinking(g), from, to)),
      { numRuns },
    )
  })
})

describe('what one provider keeps', () => {
  it.each(['"previous_response_id":"resp_1"', '"conversation":"conv_1"', '"background":true'])(
    'is not asked of another: %s',
    (member) => {
      const responses = codecFor('openai-responses')
      const exchange = responses.decode({ body: `{"model":"m","input":"And?",${member}}` })
      const [name] = Object.keys(JSON.parse(`{${member}}`) as object)
      for (const other of ['openai-chat', 'anthropic-messages'] as const)
        expect(() => crossRequest(responses, codecFor(other), exchange)).toThrow(
          expect.objectContaining({ code: 'invalid-input', data: expect.objectContaining({ field: name }) as object }),
        )
    },
  )
})

describe('what a provider keeps', () => {
  it.each([
    ['openai-responses', 'previous_response_id', { input: 'go on', previous_response_id: 'resp_1' }],
    [
      'openai-responses',
      'input (item_reference)',
      {
        input: [
          { type: 'item_reference', id: 'msg_1' },
          { role: 'user', content: 'go on' },
        ],
      },
    ],
    ['openai-responses', 'conversation', { input: 'go on', conversation: 'conv_1' }],
    [
      'gemini',
      'cachedContent',
      { contents: [{ role: 'user', parts: [{ text: 'go on' }] }], cachedContent: 'cachedContents/1' },
    ],
  ] as const)('cannot be asked for elsewhere: %s, %s', (dialect, name, body) => {
    const codec = codecFor(dialect)
    const exchange = codec.decode({ body: JSON.stringify({ model: 'm', ...body }) })
    expect(() => crossRequest(codec, codecFor('anthropic-messages'), exchange)).toThrow(
      `${name}: asks for what another`,
    )
  })
})
