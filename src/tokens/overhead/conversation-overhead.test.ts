import { describe, expect, it } from 'vitest'
import { shippedCatalogue } from '../catalogue/catalogue.ts'
import { tokenizerFor } from '../tokenizer-for.ts'
import { conversationOverhead } from './conversation-overhead.ts'
import type { ConversationShape } from './conversation-overhead.ts'
import { requestOverhead } from './request-overhead.ts'

const overhead = (model: string, shape: Partial<ConversationShape>): number =>
  conversationOverhead({ messages: [], items: [], tools: [], ...shape }, shippedCatalogue.info(model))
const call = (id: string) => ({ kind: 'tool-call', toolName: 'read', toolCallId: id }) as const
const result = (id: string) => ({ kind: 'tool-result', toolName: 'read', toolCallId: id }) as const
const tool = { name: 'read', description: 'Reads a file.', schema: { type: 'object', properties: {} } }
const ids = Array.from({ length: 100 }, (_, index) => `c${index}`)

describe('what a conversation costs beside its items', () => {
  it('is the frames of its calls, too, and the names in them', () => {
    const messages = ids.map(() => ({ role: 'assistant' }))
    const { count } = tokenizerFor('claude-opus-4-5')
    const framed = overhead('claude-opus-4-5', { messages })
    expect(overhead('claude-opus-4-5', { messages, items: ids.map(call) }) - framed).toBe(100 * (43 + count('read')))
    expect(framed).toBe(6 + 100 * (2 + count('assistant')))
  })

  it('frames a result once, in a message of its own or beside others', () => {
    const own = ids.map(() => ({ role: 'tool' }))
    const alone = overhead('claude-opus-5', { messages: own, items: ids.map(result) })
    const { count } = tokenizerFor('claude-opus-5')
    expect(alone).toBe(6 + 100 * (2 + count('tool') + 10))
    expect(overhead('claude-opus-5', { messages: [{ role: 'user' }], items: ids.map(result) })).toBe(
      6 + 2 + count('user') + 100 * 10,
    )
  })

  it('frames a result of several parts once', () => {
    const messages = [{ role: 'user' }]
    expect(overhead('claude-opus-5', { messages, items: [result('a'), result('a'), result('b')] })).toBe(
      overhead('claude-opus-5', { messages, items: [result('a'), result('b')] }),
    )
  })

  it('has what the provider says because there are tools once, and tools that are no items in full', () => {
    for (const model of ['gpt-4o', 'claude-opus-5', 'deepseek-chat']) {
      const info = shippedCatalogue.info(model)
      const { perTool } = requestOverhead({ messages: [], tools: [tool] }, info)
      const none = overhead(model, {})
      expect(overhead(model, { tools: [tool] })).toBe(none + info.toolPrompt.auto)
      expect(overhead(model, { tools: [tool], sampling: { toolChoice: 'required' } })).toBe(
        none + info.toolPrompt.forced,
      )
      expect(overhead(model, { tools: [tool], addedTools: [tool] })).toBe(
        none + info.toolPrompt.auto + (perTool[0] ?? 0),
      )
    }
  })
})
