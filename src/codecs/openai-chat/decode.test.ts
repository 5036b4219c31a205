import { describe, expect, it } from 'vitest'
import type { WireExchange } from '../../core/index.ts'
import { itemIdAt, markedPlaces, placeOfItem } from '../item-places.fixture.ts'
import { openaiChat } from './index.ts'

function decode(request: object): WireExchange {
  return openaiChat.decode({ body: JSON.stringify({ model: 'gpt-5.6-sol', ...request }) })
}

function call(id: string, name = 'read', args = '{"path":"a.ts"}'): object {
  return { id, type: 'function', function: { name, arguments: args } }
}

const user = { role: 'user', content: 'fix it' }
const turn = [
  user,
  { role: 'assistant', content: null, tool_calls: [call('c1')] },
  { role: 'tool', tool_call_id: 'c1', content: 'text' },
]

function brief(exchange: WireExchange): readonly unknown[] {
  return exchange.conversation.items.map((item) => [placeOfItem(exchange, item.id), item.kind, item.section, item.text])
}

describe('an OpenAI request', () => {
  it('gives one item per tool, text, part, reasoning, call and result, in wire order', () => {
    const exchange = decode({
      messages: [
        { role: 'system', content: 'policy' },
        { role: 'developer', content: [{ type: 'text', text: 'role' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:' } },
          ],
        },
        {
          role: 'assistant',
          content: 'I read',
          reasoning_content: 'hm',
          tool_calls: [call('c1'), call('c2', 'grep', '')],
        },
        { role: 'tool', tool_call_id: 'c2', content: 'none' },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'read', description: 'reads', parameters: { type: 'object' } } }],
    })
    expect(brief(exchange)).toEqual([
      [
        't0',
        'tool-schema',
        'tools',
        '{"type":"function","function":{"name":"read","description":"reads","parameters":{"type":"object"}}}',
      ],
      ['m0', 'instruction', 'policy', 'policy'],
      ['m1.b0', 'instruction', 'role', 'role'],
      ['m2.b0', 'text', 'query', 'look'],
      ['m2.b1', 'media', 'query', ''],
      ['m3.reasoning_content', 'reasoning', 'history', 'hm'],
      ['m3', 'text', 'history', 'I read'],
      ['m3.c0', 'tool-call', 'history', '{"path":"a.ts"}'],
      ['m3.c1', 'tool-call', 'history', ''],
      ['m4', 'tool-result', 'history', 'none'],
      ['m5.b0', 'tool-result', 'history', 'a'],
      ['m5.b1', 'tool-result', 'history', 'b'],
    ])
    expect(exchange.conversation.tools).toEqual([{ name: 'read', description: 'reads', schema: { type: 'object' } }])
    expect(exchange.conversation.messages.map((message) => message.itemIds.length)).toEqual([1, 1, 2, 4, 1, 2])
  })

  it('joins a call and its result in a group and names the tool of a result', () => {
    const [, made, result] = decode({ messages: turn }).conversation.items
    expect(made).toMatchObject({ group: 'c1', toolName: 'read', toolCallId: 'c1', birthTurn: 0 })
    expect(result).toMatchObject({ group: 'c1', toolName: 'read', toolCallId: 'c1', birthTurn: 1 })
    expect(result?.status).toBeUndefined()
  })

  it('P-065: trusts system and developer, users half, tools not', () => {
    const messages = [{ role: 'system', content: 's' }, { role: 'developer', content: 'd' }, ...turn]
    const standing = decode({ messages }).conversation.items.map((item) => [item.role, item.authority, item.trust])
    expect(standing).toEqual([
      ['system', 'system', 'trusted'],
      ['developer', 'developer', 'trusted'],
      ['user', 'user', 'semi-trusted'],
      ['assistant', 'user', 'semi-trusted'],
      ['tool', 'tool', 'untrusted'],
    ])
  })

  it('makes the last message of the user the query, wherever it stands', () => {
    const messages = [
      user,
      { role: 'assistant', content: 'done' },
      { role: 'user', content: 'again' },
      { role: 'assistant', content: 'ok' },
    ]
    expect(decode({ messages }).conversation.items.map((item) => item.section)).toEqual([
      'history',
      'history',
      'query',
      'history',
    ])
  })

  it('keeps call ids that come back in a later turn apart', () => {
    const groups = decode({ messages: [...turn, ...turn.slice(1)] }).conversation.items.map((item) => item.group)
    expect(groups).toEqual([undefined, 'c1', 'c1', 'c1#2', 'c1#2'])
  })

  it('reads limits, key, stream and extension', () => {
    const body = {
      messages: [user],
      max_completion_tokens: 5,
      max_tokens: 9,
      prompt_cache_key: 'k',
      stream: true,
      bardo: { a: 1 },
    }
    expect(decode(body)).toMatchObject({
      conversation: { maxOutputTokens: 5, stream: true },
      wire: { cacheKey: 'k', extension: { name: 'bardo', value: { a: 1 } } },
    })
    expect(decode({ messages: [user], prehend: null, bardo: 1 }).wire.extension).toEqual({
      name: 'prehend',
      value: null,
    })
    expect(decode({ messages: [user], max_tokens: null }).conversation.maxOutputTokens).toBeUndefined()
  })

  it("knows the caller's cache breakpoints", () => {
    const part = { type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }
    expect(markedPlaces(decode({ messages: [{ role: 'user', content: [part] }] }))).toEqual([
      { itemId: 'm0.b0', ttlMs: 43_200_000 },
    ])
  })

  it.each([
    [{ tools: [] }, false],
    [{ tool_choice: 'required' }, true],
    [{ tool_choice: 'none', n: 1 }, true],
    [{ n: 2 }, false],
  ])('tells whether a tool of ours may stay: %j', (request, stays) => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(decode({ messages: [user], tools, ...request }).wire.keepsTool).toBe(stays)
  })

  it.each([
    [{}, false],
    [{ tools: [] }, false],
    [{ tools: [{ type: 'function', function: { name: 'f' } }] }, true],
    [{ tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'auto' }, true],
    [{ tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'none' }, false],
    [{ tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' }, false],
    [
      {
        tools: [{ type: 'function', function: { name: 'f' } }],
        tool_choice: { type: 'function', function: { name: 'f' } },
      },
      false,
    ],
    [{ tools: [{ type: 'function', function: { name: 'f' } }], n: 2 }, false],
    [{ tools: [{ type: 'custom', custom: { name: 'f' } }] }, true],
    [{ tools: [{ type: 'web_search' }] }, false],
  ])('accepts a tool only beside tools that are in use and not forced: %j', (request, accepts) => {
    expect(decode({ messages: [user], ...request }).wire.acceptsTool).toBe(accepts)
  })

  it('takes unknown parts, legacy calls, refusals and empty results along as frozen items', () => {
    const exchange = decode({
      messages: [
        { role: 'user', content: [{ type: 'x_new', n: 1 }] },
        { role: 'assistant', function_call: { name: 'f', arguments: '{}' }, refusal: 'no' },
        { role: 'function', name: 'f', content: 'r' },
        { role: 'assistant', tool_calls: [call('c1')] },
        { role: 'tool', tool_call_id: 'c1', content: [] },
      ],
    })
    expect(exchange.conversation.items.map((item) => [placeOfItem(exchange, item.id), item.kind, item.frozen])).toEqual(
      [
        ['m0.b0', 'opaque', true],
        ['m1.refusal', 'opaque', true],
        ['m1.function_call', 'tool-call', true],
        ['m2', 'tool-result', true],
        ['m3.c0', 'tool-call', undefined],
        ['m4', 'tool-result', true],
      ],
    )
    expect(openaiChat.rawItem(exchange, itemIdAt(exchange, 'm0.b0'))).toBe('{"type":"x_new","n":1}')
  })

  it('an orphan tool call decodes: only the provider can say what it makes of it', () => {
    expect(decode({ messages: turn.slice(0, 2) }).conversation.items.at(-1)).toMatchObject({
      id: 'call:c1',
      group: 'c1',
    })
  })

  it('keeps a lone surrogate', () => {
    const exchange = decode({ messages: [{ role: 'user', content: 'a\ud800b' }] })
    expect(exchange.conversation.items[0]?.text).toBe('a\ud800b')
  })
})

describe('a bad OpenAI request is refused by the field', () => {
  it.each<[object, string]>([
    [{ model: undefined, messages: [user] }, 'model'],
    [{ model: '', messages: [user] }, 'model'],
    [{ model: 3, messages: [user] }, 'model'],
    [{}, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: 'hi' }, 'messages'],
    [{ messages: [user, 'hi'] }, 'messages[1]'],
    [{ messages: [{ content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: '__proto__', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: 3 }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: ['x'] }] }, 'messages[0].content[0]'],
    [{ messages: [{ role: 'user', content: [{ text: 'x' }] }] }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: 1 }] }] }, 'messages[0].content[0].text'],
    [{ messages: [{ role: 'tool', tool_call_id: 'c1', content: 'orphan' }] }, 'messages[0].tool_call_id'],
    [{ messages: [...turn, { role: 'tool', content: 'x' }] }, 'messages[3].tool_call_id'],
    [{ messages: [{ role: 'assistant', tool_calls: {} }] }, 'messages[0].tool_calls'],
    [{ messages: [{ role: 'assistant', tool_calls: [call('c1'), call('c1')] }] }, 'messages[0].tool_calls[1].id'],
    [
      { messages: [{ role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'f' } }] }] },
      'messages[0].tool_calls[0].id',
    ],
    [{ messages: [user], max_tokens: -1 }, 'max_tokens'],
    [{ messages: [user], max_completion_tokens: 1.5 }, 'max_completion_tokens'],
    [{ messages: [user], max_tokens: 1e12 }, 'max_tokens'],
    [{ messages: [user], max_tokens: '9' }, 'max_tokens'],
    [{ messages: [user], stream: 'yes' }, 'stream'],
    [{ messages: [user], tools: {} }, 'tools'],
    [{ messages: [user], tools: [{ type: 'function' }] }, 'tools[0].function'],
  ])('%j', (request, field) => {
    expect(() => decode(request)).toThrow(
      expect.objectContaining({ code: 'invalid-input', data: { field, remedy: expect.stringMatching(/./) } }),
    )
  })

  it('a body that is no object, or no JSON', () => {
    expect(() => openaiChat.decode({ body: '[]' })).toThrow(expect.objectContaining({ code: 'invalid-input' }))
    expect(() => openaiChat.decode({ body: '{"model":' })).toThrow(expect.objectContaining({ code: 'invalid-json' }))
  })
})
