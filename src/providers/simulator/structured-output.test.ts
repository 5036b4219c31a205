import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SimulatedServer } from './listen.ts'
import { simulatedProvider } from './simulated-provider.ts'

/** As Pydantic writes a model with an enum, a nested model, an optional number, a union and a literal. */
const schema = {
  type: 'object',
  properties: {
    status: { $ref: '#/$defs/Status' },
    address: { anyOf: [{ $ref: '#/$defs/Address' }, { type: 'null' }] },
    count: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
    kind: { const: 'only', type: 'string' },
  },
  required: ['status', 'address', 'count', 'kind'],
  additionalProperties: false,
  $defs: {
    Status: { enum: ['open', 'closed'], type: 'string' },
    Address: {
      type: 'object',
      properties: { city: { type: 'string', minLength: 1 } },
      required: ['city'],
      additionalProperties: false,
    },
  },
}
const smallest = { status: 'open', address: { city: 'x' }, count: 1, kind: 'only' }
const messages = [{ role: 'user' as const, content: 'Fill in the JSON' }]

const provider = simulatedProvider()
const common = { apiKey: 'k', maxRetries: 0, fetch: provider.fetch }
const openai = new OpenAI(common)
const anthropic = new Anthropic(common)
let server: SimulatedServer
beforeAll(async () => {
  server = await provider.listen()
})
afterAll(() => server.close())
const google = () => new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: server.url } })

const json = (text: string | null | undefined): unknown => JSON.parse(text ?? '')

describe('a schema for the reply', () => {
  it('is followed in Chat Completions', async () => {
    const format = { type: 'json_schema' as const, json_schema: { name: 'ticket', strict: true, schema } }
    const reply = await openai.chat.completions.create({ model: 'gpt-4o', messages, response_format: format })
    expect(json(reply.choices[0]?.message.content)).toEqual(smallest)
  })

  it('is followed in Responses', async () => {
    const format = { type: 'json_schema' as const, name: 'ticket', strict: true, schema }
    const reply = await openai.responses.create({ model: 'gpt-4o', input: 'Fill it in', text: { format } })
    expect(json(reply.output_text)).toEqual(smallest)
  })

  it('is followed by Claude', async () => {
    const format = { type: 'json_schema' as const, schema }
    const asked = { model: 'claude-sonnet-4-5', max_tokens: 500, messages, output_config: { format } }
    const { content } = await anthropic.messages.create(asked)
    expect(content.map((block) => block.type === 'text' && json(block.text))).toEqual([smallest])
  })

  it("is followed by Gemini, in Google's words and in those of JSON Schema", async () => {
    const responseSchema = {
      type: 'OBJECT',
      properties: {
        count: { anyOf: [{ type: 'INTEGER', minimum: 1 }, { type: 'STRING' }] },
        list: { type: 'ARRAY', minItems: '1', items: { type: 'STRING', enum: ['a', 'b'], format: 'enum' } },
      },
      required: ['count', 'list'],
    }
    const ask = async (config: object) => {
      const asked = { responseMimeType: 'application/json', ...config }
      const reply = await google().models.generateContent({
        model: 'gemini-2.5-pro',
        contents: 'Fill it in',
        config: asked,
      })
      return json(reply.text)
    }
    expect(await ask({ responseSchema })).toEqual({ count: 1, list: ['a'] })
    expect(await ask({ responseJsonSchema: schema })).toEqual(smallest)
  })
})

describe('a tool that must be called', () => {
  it('gets arguments of its schema', async () => {
    const called = await openai.chat.completions.create({
      model: 'gpt-4o',
      messages,
      tools: [{ type: 'function', function: { name: 'ticket', parameters: schema } }],
      tool_choice: { type: 'function', function: { name: 'ticket' } },
    })
    const [call] = called.choices[0]?.message.tool_calls ?? []
    expect(call?.type === 'function' && json(call.function.arguments)).toEqual(smallest)
    const { content } = await anthropic.messages.create({
      model: 'claude-sonnet-4-5',
      max_tokens: 500,
      messages,
      tools: [{ name: 'ticket', input_schema: { ...schema, type: 'object' } }],
      tool_choice: { type: 'tool', name: 'ticket' },
    })
    expect(content).toMatchObject([{ type: 'tool_use', input: smallest }])
  })
})

describe('JSON of no schema', () => {
  const echoed = { answer: 'You said: Fill in the JSON' }

  it('is JSON in every dialect that has it', async () => {
    const chat = await openai.chat.completions.create({
      model: 'gpt-4o',
      messages,
      response_format: { type: 'json_object' },
    })
    expect(json(chat.choices[0]?.message.content)).toEqual(echoed)
    const input = 'Fill in the JSON'
    const responses = await openai.responses.create({
      model: 'gpt-4o',
      input,
      text: { format: { type: 'json_object' } },
    })
    expect(json(responses.output_text)).toEqual(echoed)
    const config = { responseMimeType: 'application/json' }
    const gemini = await google().models.generateContent({ model: 'gemini-2.5-pro', contents: input, config })
    expect(json(gemini.text)).toEqual(echoed)
  })
})
