import { describe, expect, it } from 'vitest'
import { codecFor } from '../index.ts'

const tool = { name: 'find', description: 'Finds.', schema: { type: 'object' } }
const dialects = [
  ['anthropic-messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }],
  ['openai-chat', { model: 'm', messages: [{ role: 'user', content: 'hi' }] }],
  ['openai-responses', { model: 'm', input: 'hi' }],
  ['gemini', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }],
] as const

describe.each(dialects)('the first tools of a request of %s', (dialect, body) => {
  const codec = codecFor(dialect)
  const added = [tool, { ...tool, name: 'call' }]
  const decoded = (more: object = {}) => codec.decode({ body: JSON.stringify({ ...body, ...more }) })

  it.each([{}, { tools: [] }])('stand in its list: %j', (more) => {
    const exchange = decoded(more)
    expect(exchange.wire.acceptsFirstTool).toBe(true)
    const written = codec.unlistTools(exchange, { isListed: () => true, added, isWhole: true })
    const { conversation, wire } = codec.decode({ body: written })
    expect(conversation.tools.map(({ name }) => name)).toEqual(['find', 'call'])
    expect([wire.acceptsTool, wire.acceptsFirstTool]).toEqual([true, undefined])
  })

  it('come behind those that it has', () => {
    const before = codec.unlistTools(decoded(), {
      isListed: () => true,
      added: [{ ...tool, name: 'own' }],
      isWhole: true,
    })
    const written = codec.unlistTools(codec.decode({ body: before }), { isListed: () => true, added, isWhole: true })
    expect(codec.decode({ body: written }).conversation.tools.map(({ name }) => name)).toEqual(['own', 'find', 'call'])
  })
})

it.each([
  ['anthropic-messages', { tool_choice: { type: 'none' } }],
  ['openai-chat', { n: 2 }],
  ['openai-chat', { functions: [] }],
  ['openai-chat', { response_format: { type: 'json_object' } }],
  ['openai-responses', { prompt: { id: 'p' } }],
  ['openai-responses', { background: true }],
  ['openai-responses', { text: { format: { type: 'json_schema' } } }],
  ['gemini', { generationConfig: { responseMimeType: 'application/json' } }],
  ['gemini', { generation_config: { response_modalities: ['IMAGE'] } }],
  ['gemini', { cachedContent: 'cachedContents/x' }],
] as const)('a request of %s with %j accepts no first tool', (dialect, more) => {
  const [, body] = dialects.find(([name]) => name === dialect)!
  expect(codecFor(dialect).decode({ body: JSON.stringify({ ...body, ...more }) }).wire.acceptsFirstTool).toBeUndefined()
})
