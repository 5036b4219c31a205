import { describe, expect, it } from 'vitest'
import { codecFor } from '../codecs/index.ts'
import type { WireExchange } from '../core/index.ts'
import { sessionScope } from './session-key.ts'

const codec = codecFor('openai-chat')
const said = (role: string, content: string) => ({ role, content })
const introduction = 'This is the Qwen Code. We are setting up the context for our chat.\nMy system is linux.'
const acknowledged = 'Got it. Thanks for the context!'
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

  it.each([
    ['an introduction', [said('user', introduction)]],
    ['an introduction that is answered', [said('user', introduction), said('assistant', acknowledged)]],
    ['a message in tags', [said('user', '<environment_context>x</environment_context>')]],
  ])('tells jobs apart that begin with the same message of the agent: %s', (_, opening) => {
    const job = (words: string, ...more: readonly object[]) =>
      sessionScope('t', decoded([said('system', 'Be brief.'), ...opening, said('user', words), ...more]))
    const first = job('Mend it.')
    expect(job('Break it.').session).not.toBe(first.session)
    expect(job('Break it.').lane).not.toBe(first.lane)
    expect(job('Mend it.', said('assistant', 'So.'), said('user', 'Go on.'))).toEqual(first)
    expect(job('Mend it.', said('user', 'Go on.'), said('assistant', 'So.'))).toEqual(first)
  })

  it('stays the same where the user goes on before an answer, or answers what is in tags', () => {
    const scope = (...messages: readonly object[]) => sessionScope('t', decoded(messages))
    expect(scope(said('user', 'Why?'), said('user', 'How?'))).toEqual(scope(said('user', 'Why?')))
    const task = said('user', '<task>Mend it.</task>')
    expect(scope(task, said('assistant', 'Which?'), said('user', 'The second.'))).toEqual(scope(task))
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
