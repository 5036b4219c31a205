import { describe, expect, it } from 'vitest'
import { codecFor } from '../codecs/index.ts'
import type { WireExchange } from '../core/index.ts'
import { sessionScope } from './session-key.ts'

const codec = codecFor('openai-chat')
const said = (role: string, content: string) => ({ role, content })
const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } }

function decoded(messages: readonly object[], previous?: WireExchange, tools?: readonly object[]): WireExchange {
  return codec.decode({ body: JSON.stringify({ model: 'm', messages, tools }) }, previous)
}

describe('sessionScope', () => {
  it('is the same whether a request is read after the one before or by itself', () => {
    const first = [said('system', 'Be brief.'), said('user', 'Why?')]
    const requests = [
      { messages: [...first, said('assistant', 'So.'), said('user', 'How?')] },
      { messages: [said('system', 'Be thorough.'), ...first.slice(1)] },
      { messages: first.slice(1) },
      { messages: first, tools: [tool] },
      { messages: [first[0] ?? {}, said('user', 'When?')] },
    ]
    const before = decoded(first)
    const scopes = requests.map(({ messages, tools }) => {
      const scope = sessionScope('t', decoded(messages, before, tools))
      expect(sessionScope('t', decoded(messages, undefined, tools))).toEqual(scope)
      return scope
    })
    expect(scopes[0]).toEqual(sessionScope('t', before))
    expect(new Set([...scopes, sessionScope('u', before)].map((scope) => JSON.stringify(scope))).size).toBe(6)
  })

  it('of a message with very many parts comes in time: each is looked at once', () => {
    const exchange = decoded([said('user', 'x')])
    const [item] = exchange.conversation.items
    const items = Array.from({ length: 300_000 }, (_, index) => ({ ...item!, id: `m0.${index}` }))
    const messages = [{ ...exchange.conversation.messages[0]!, itemIds: items.map(({ id }) => id) }]
    const long = { ...exchange, conversation: { ...exchange.conversation, messages, items } }
    // Every part compared with every other one takes minutes.
    expect(sessionScope('t', long).lane).toMatch(/^[0-9a-f]{16}$/)
  })
})
