import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../core/index.ts'
import { tokenizerFor } from '../tokenizer-for.ts'
import { shippedCatalogue } from '../catalogue/catalogue.ts'
import { requestOverhead } from './request-overhead.ts'
import type { RequestOverhead, RequestShape, ToolShape } from './request-shape.ts'
import { typescriptSignature } from './typescript-signature.ts'

const weather: ToolShape = {
  name: 'get_weather',
  description: 'Get the current weather in a given location',
  schema: {
    type: 'object',
    properties: { location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' } },
    required: ['location'],
  },
}

function overhead(model: string, shape: RequestShape): RequestOverhead {
  return requestOverhead(shape, shippedCatalogue.info(model))
}

function total(model: string, texts: readonly string[], tools: readonly ToolShape[] = []): number {
  const messages = texts.map(() => ({ role: 'user' }))
  const { count } = tokenizerFor(model)
  return overhead(model, { messages, tools }).tokens + texts.reduce((sum, text) => sum + count(text), 0)
}

describe('OpenAI', () => {
  it('takes 3 per message, its role and name, and 3 for the reply (cookbook)', () => {
    const messages = [{ role: 'system' }, { role: 'user', name: 'ada' }, { role: 'assistant' }]
    expect(overhead('gpt-4o', { messages })).toEqual({
      tokens: 3 + 4 + 6 + 4,
      perMessage: [4, 6, 4],
      perTool: [],
      fixed: 3,
    })
    expect(overhead('gpt-5', { messages }).perMessage).toEqual([5, 7, 5])
  })

  it('shows tools as TypeScript (spec 2.6)', () => {
    const tool: ToolShape = {
      name: 'book',
      description: 'Book a flight.\nAsk first.',
      schema: {
        type: 'object',
        required: ['from'],
        properties: {
          from: { type: 'string', description: 'IATA code' },
          cabin: { enum: ['economy', 'business'] },
          seats: { type: 'array', items: { type: 'integer' } },
          payer: { type: 'object', properties: { id: { type: ['string', 'null'] } } },
        },
      },
    }
    expect(typescriptSignature(tool)).toBe(`// Book a flight.
// Ask first.
type book = (_: {
// IATA code
from: string,
cabin?: "economy" | "business",
seats?: number[],
payer?: {
  id?: string | null,
},
}) => any;

`)
  })

  it('costs a tool about what was measured against the API: name, description + 1, 5 per property and 2 per note', () => {
    const { count } = tokenizerFor('gpt-4o')
    const words = [weather.name, weather.description ?? '', 'location', 'The city and state, e.g. San Francisco, CA']
    const measured = 16 + 1 + 5 + 2 + words.reduce((sum, word) => sum + count(word), 0)
    const { fixed, perTool } = overhead('gpt-4o', { messages: [], tools: [weather] })
    expect(Math.abs(fixed - 3 + (perTool[0] ?? 0) - measured)).toBeLessThanOrEqual(2)
  })

  it('makes schema punctuation nearly free: a quarter less than the JSON', () => {
    const json = tokenizerFor('gpt-5').count(JSON.stringify(weather))
    expect(overhead('gpt-5', { messages: [], tools: [weather] }).perTool[0]).toBeLessThan(0.75 * json)
  })
})

describe('Anthropic', () => {
  it('adds the hidden tool prompt once, dearer when a tool is forced (spec 1.12)', () => {
    const fixed = (model: string, toolChoice: 'auto' | 'forced', tools: readonly ToolShape[]) =>
      overhead(model, { messages: [], tools, toolChoice }).fixed
    expect(fixed('claude-opus-5', 'auto', [])).toBe(6)
    expect(fixed('claude-opus-5', 'auto', [weather, weather])).toBe(6 + 286)
    expect(fixed('claude-opus-5', 'forced', [weather])).toBe(6 + 406)
    expect(fixed('claude-sonnet-4-5', 'auto', [weather])).toBe(6 + 496)
  })

  it('agrees with documented counts within 5%', () => {
    const documented = total('claude-sonnet-4', ["What's the weather like in San Francisco?"], [weather])
    expect(Math.abs(documented / 403 - 1)).toBeLessThan(0.05)
  })
})

it('costs more for every tool, and the same whichever order they come in', () => {
  const other: ToolShape = { name: 'ping' }
  for (const model of ['gpt-4o', 'claude-opus-4-5', 'gemini-2.5-pro', 'deepseek-chat', 'anything']) {
    const one = overhead(model, { messages: [], tools: [weather] })
    const two = overhead(model, { messages: [], tools: [weather, other] })
    const turned = overhead(model, { messages: [], tools: [other, weather] })
    expect(two.tokens).toBeGreaterThan(one.tokens)
    expect(turned.tokens).toBe(two.tokens)
    expect(two.tokens).toBe(two.fixed + two.perTool.reduce((sum, tokens) => sum + tokens, 0))
  }
})

it('counts any schema without throwing', () => {
  const models = ['gpt-4o', 'claude-opus-4-5', 'gemini-2.5-pro', 'deepseek-chat']
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (schema, name) => {
      for (const model of models) {
        const tools = [{ name, schema: schema as JsonValue }]
        const { tokens } = overhead(model, { messages: [{ role: 'user' }], tools })
        expect(Number.isInteger(tokens) && tokens > 0).toBe(true)
      }
    }),
  )
})
