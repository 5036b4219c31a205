import { describe, expect, it } from 'vitest'
import { codecs } from '../codecs/index.ts'
import { careful } from '../compiler/index.ts'
import type { Item, JsonObject, KnownDialect } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import { compile } from './compilers.ts'
import { singleRequest } from './single-request.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } } }

const limits: { readonly [Name in KnownDialect]: JsonObject } = {
  'openai-chat': { max_tokens: 700 },
  'anthropic-messages': { max_tokens: 700 },
  'openai-responses': { max_output_tokens: 700 },
  'gemini': { generationConfig: { maxOutputTokens: 700 } },
}

/** The conversation as the user and the model have it, and the tools, in the words of each dialect. */
const bodies: { readonly [Name in KnownDialect]: () => JsonObject } = {
  'openai-chat': () => ({
    model: 'gpt-4o',
    ...limits['openai-chat'],
    tools: named((tool) => ({ type: 'function', function: { ...tool, parameters: schema } })),
    messages: [{ role: 'system', content: 'Never push.' }, ...messages],
  }),
  'anthropic-messages': () => ({
    model: 'claude-sonnet-4-5',
    ...limits['anthropic-messages'],
    system: 'Never push.',
    tools: named((tool) => ({ ...tool, input_schema: schema })),
    messages,
  }),
  'openai-responses': () => ({
    model: 'gpt-4o',
    ...limits['openai-responses'],
    instructions: 'Never push.',
    tools: named((tool) => ({ type: 'function', ...tool, parameters: schema })),
    input: messages,
  }),
  'gemini': () => ({
    model: 'models/gemini-2.5-pro',
    ...limits.gemini,
    systemInstruction: { parts: [{ text: 'Never push.' }] },
    tools: [{ functionDeclarations: named((tool) => ({ ...tool, parametersJsonSchema: schema })) }],
    contents: messages.map(({ role, content }) => {
      return { role: role === 'assistant' ? 'model' : role, parts: [{ text: content }] }
    }),
  }),
}

const messages = [
  { role: 'user', content: 'It worked yesterday.' },
  { role: 'assistant', content: 'I will look.' },
  { role: 'user', content: 'Which change broke it?' },
]

function named(tool: (words: { readonly name: string; readonly description: string }) => JsonObject): JsonObject[] {
  return ['read', 'bash'].map((name) => tool({ name, description: `Runs ${name}.` }))
}

const collected: readonly Item[] = [
  { id: 'task', section: 'task', kind: 'text', text: 'Bisect first.' },
  { id: 'log', section: 'evidence', kind: 'evidence', text: 'Commit 1f2e failed.', provenance: { sourceId: 'ci' } },
  { id: 'note', section: 'memory', kind: 'memory', text: 'The build broke before.' },
]

describe.each(codecs)('a payload in $dialect', (codec) => {
  const body = bodies[codec.dialect as KnownDialect]()
  const { exchange, input } = singleRequest(JSON.stringify(body), body, {
    catalogue: shippedCatalogue,
    policy: careful,
    codec,
  })
  const items = [...input.items, ...collected]
  const { pack, manifest, budget } = compile({ ...input, items, layout: 'payload' })
  if (pack === undefined) throw new Error('no pack')
  const sent: unknown = JSON.parse(codec.encode(exchange, { pack }))
  if (!isJsonObject(sent)) throw new Error('no body')
  const { messages: all, contents: _contents, input: _input, system, systemInstruction, instructions, ...rest } = sent
  const texts = codec.decode({ body: JSON.stringify(sent) }).conversation
  const textOf = (index: number): string => {
    const ids = texts.messages.at(index)?.itemIds ?? []
    return ids.map((id) => texts.items.find((item) => item.id === id)?.text).join('')
  }

  it('A-044: system text becomes the system instruction', () => {
    expect(texts.messages[0]?.role).toBe('system')
    expect(textOf(0)).toContain('Never push.')
    const own = codec.dialect === 'openai-chat' ? all : (system ?? systemInstruction ?? instructions)
    expect(JSON.stringify(own)).toContain('Never push.')
    expect(textOf(0)).not.toContain('Bisect')
  })

  it('A-044: tools become the tool list, the conversation the earlier messages', () => {
    expect(texts.tools.map(({ name }) => name)).toEqual(['read', 'bash'])
    expect(texts.messages.slice(1).map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect([textOf(1), textOf(2)]).toEqual(['It worked yesterday.', 'I will look.'])
  })

  it('A-044: task, evidence, memory and request become the last message of the user', () => {
    const payload = textOf(-1)
    const places = ['Bisect first.', 'Commit 1f2e failed.', 'The build broke before.', 'Which change broke it?'].map(
      (text) => payload.indexOf(text),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('A-044: of the reserve nothing is sent but the reply that was asked for', () => {
    const asked = limits[codec.dialect as KnownDialect]
    expect(rest).toMatchObject(asked)
    expect(manifest.reserveTokens).toBeGreaterThan(700)
    expect(pack.tokens).toBeLessThanOrEqual(budget.windowTokens - manifest.reserveTokens)
    expect(new Set(Object.keys(rest))).toEqual(new Set([...Object.keys(asked), 'model', 'tools']))
    expect(pack.entries.map(({ section }) => section)).not.toContain('reserve')
  })
})
