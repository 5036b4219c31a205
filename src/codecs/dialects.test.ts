import { describe, expect, it } from 'vitest'
import { codecFor, detectDialect } from './index.ts'
import type { JsonObject } from '../core/index.ts'

const user = { role: 'user', content: 'go' }

describe('the dialect of a request', () => {
  it.each<[string, JsonObject, string]>([
    [
      'a tool of Anthropic',
      { model: 'm', tools: [{ name: 'f', input_schema: {} }], messages: [user] },
      'anthropic-messages',
    ],
    ['a system prompt beside the messages', { model: 'm', system: 's', messages: [user] }, 'anthropic-messages'],
    [
      'a tool of OpenAI',
      { model: 'claude-x', tools: [{ type: 'function', function: {} }], messages: [user] },
      'openai-chat',
    ],
    ['a tool message', { model: 'claude-x', messages: [user, { role: 'tool', content: '' }] }, 'openai-chat'],
    [
      'a result in blocks',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] },
      'anthropic-messages',
    ],
    ['the name of a model, where nothing else tells', { model: 'claude-x', messages: [user] }, 'anthropic-messages'],
    ['contents', { contents: [{ parts: [{ text: 'go' }] }] }, 'gemini'],
    ['an input in the place of messages', { model: 'claude-x', input: 'go' }, 'openai-responses'],
    ['nothing', { model: 'm', messages: [user] }, 'openai-chat'],
  ])('is told by %s', (_, body, dialect) => {
    expect(detectDialect({ body })).toBe(dialect)
  })

  it('is told by the path before anything else, and by a header before the body', () => {
    const body = { system: 's' }
    expect(detectDialect({ path: '/v1/chat/completions?x=1', headers: { 'anthropic-version': '1' }, body })).toBe(
      'openai-chat',
    )
    expect(detectDialect({ path: '/v1/messages/batches' })).toBe('anthropic-messages')
    expect(detectDialect({ path: '/v1/responses/resp_1/cancel' })).toBe('openai-responses')
    expect(detectDialect({ path: '/elsewhere', headers: { 'anthropic-version': '1' } })).toBe('anthropic-messages')
    expect(detectDialect({ path: '/v1/models/gemini-3-pro:streamGenerateContent?alt=sse', body })).toBe('gemini')
    expect(detectDialect({ path: '/v1beta/tunedModels/a:generateContent', body })).toBe('gemini')
    expect(detectDialect({ path: '/elsewhere', headers: { 'x-goog-api-key': 'k' } })).toBe('gemini')
  })

  it('that nobody speaks is refused with those that are', () => {
    expect(() => codecFor('klingon')).toThrow(/openai-chat, anthropic-messages/)
  })
})
