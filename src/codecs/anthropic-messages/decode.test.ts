import { describe, expect, it } from 'vitest'
import type { WireExchange } from '../../core/index.ts'
import { markedPlaces, placeOfItem } from '../item-places.fixture.ts'
import { anthropicMessages } from './index.ts'

function decode(request: object): WireExchange {
  return anthropicMessages.decode({ body: JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 100, ...request }) })
}

function use(id: string, input: object = { path: 'a.ts' }): object {
  return { type: 'tool_use', id, name: 'read', input }
}

function result(id: string, content: unknown = 'text', more: object = {}): object {
  return { type: 'tool_result', tool_use_id: id, content, ...more }
}

const user = { role: 'user', content: 'fix it' }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln+/==' }
const cached = { cache_control: { type: 'ephemeral' } }

function brief(exchange: WireExchange): readonly unknown[] {
  return exchange.conversation.items.map((item) => [
    placeOfItem(exchange, item.id),
    item.kind,
    item.section,
    item.frozen ?? false,
    item.text,
  ])
}

describe('an Anthropic request', () => {
  it('gives one item per tool, system block and message block, in the order of the cache', () => {
    const exchange = decode({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'look' }, image] },
        { role: 'assistant', content: [{ type: 'text', text: 'I read' }, use('a'), use('b')] },
        {
          role: 'user',
          content: [result('a'), result('b', [{ type: 'text', text: 'one' }]), { type: 'text', text: 'go on' }],
        },
      ],
      system: [{ type: 'text', text: 'policy' }],
      tools: [{ name: 'read', description: 'reads', input_schema: { type: 'object' } }],
    })
    expect(brief(exchange)).toEqual([
      ['t0', 'tool-schema', 'tools', false, '{"name":"read","description":"reads","input_schema":{"type":"object"}}'],
      ['s0', 'instruction', 'policy', false, 'policy'],
      ['m0.b0', 'text', 'query', false, 'look'],
      ['m0.b1', 'media', 'query', false, ''],
      ['m1.b0', 'text', 'history', false, 'I read'],
      ['m1.b1', 'tool-call', 'history', false, '{"path":"a.ts"}'],
      ['m1.b2', 'tool-call', 'history', false, '{"path":"a.ts"}'],
      ['m2.b0', 'tool-result', 'history', false, 'text'],
      ['m2.b1', 'tool-result', 'history', false, 'one'],
      ['m2.b2', 'text', 'history', false, 'go on'],
    ])
    expect(exchange.conversation.messages.map(({ role, itemIds }) => [role, itemIds.length])).toEqual([
      ['system', 1],
      ['user', 2],
      ['assistant', 3],
      ['user', 3],
    ])
    expect(exchange.conversation.tools).toEqual([{ name: 'read', description: 'reads', schema: { type: 'object' } }])
    expect(exchange.conversation.maxOutputTokens).toBe(100)
  })

  it('image in tool result: each part is an item of its own, in the group of the call', () => {
    const parts = [{ type: 'text', text: 'a' }, image, { type: 'x_new' }]
    const exchange = decode({
      messages: [
        user,
        { role: 'assistant', content: [use('a')] },
        { role: 'user', content: [result('a', parts, { is_error: true })] },
      ],
    })
    expect(
      exchange.conversation.items
        .slice(2)
        .map((item) => [placeOfItem(exchange, item.id), item.kind, item.group, item.status, item.trust]),
    ).toEqual([
      ['m2.b0.p0', 'tool-result', 'a', 'error', 'untrusted'],
      ['m2.b0.p1', 'media', 'a', 'error', 'untrusted'],
      ['m2.b0.p2', 'opaque', 'a', 'error', 'untrusted'],
    ])
    expect(exchange.conversation.items[1]).toMatchObject({ group: 'a', birthTurn: 0 })
    expect(exchange.conversation.items[2]).toMatchObject({ toolName: 'read', birthTurn: 1 })
  })

  it('thinking with signature freezes its message', () => {
    const exchange = decode({
      messages: [
        user,
        { role: 'assistant', content: [thinking, { type: 'text', text: 'x' }, use('a')] },
        { role: 'user', content: [result('a')] },
      ],
    })
    expect(brief(exchange).slice(1)).toEqual([
      ['m1.b0', 'reasoning', 'history', true, JSON.stringify(thinking)],
      ['m1.b1', 'text', 'history', true, 'x'],
      ['m1.b2', 'tool-call', 'history', true, '{"path":"a.ts"}'],
      ['m2.b0', 'tool-result', 'history', false, 'text'],
    ])
  })

  it('takes unknown blocks and documents along as frozen items, countable where their words stand in the body', () => {
    const text = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } }
    const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } }
    const exchange = decode({
      messages: [
        { role: 'user', content: [{ type: 'x_new', n: 1 }, text, pdf] },
        { role: 'assistant', content: [{ type: 'server_tool_use', id: 's', name: 'web', input: {} }] },
      ],
    })
    expect(brief(exchange)).toEqual([
      ['m0.b0', 'opaque', 'history', true, '{"type":"x_new","n":1}'],
      ['m0.b1', 'opaque', 'history', true, JSON.stringify(text)],
      ['m0.b2', 'media', 'history', false, ''],
      ['m1.b0', 'opaque', 'history', true, '{"type":"server_tool_use","id":"s","name":"web","input":{}}'],
    ])
  })

  it('takes no message with tool results for words of the user', () => {
    const messages = [
      user,
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [result('a'), { type: 'text', text: '<reminder>' }] },
    ]
    expect(decode({ messages }).conversation.items.map((item) => item.section)).toEqual([
      'query',
      'history',
      'history',
      'history',
    ])
  })

  it("knows the caller's cache markers, on tools, system, blocks, parts' blocks and the whole body", () => {
    const exchange = decode({
      tools: [{ name: 'read', input_schema: {}, ...cached }],
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        user,
        { role: 'assistant', content: [use('a')] },
        { role: 'user', content: [result('a', [image, image], cached)] },
      ],
      ...cached,
    })
    expect(markedPlaces(exchange)).toEqual([
      { itemId: 't0', ttlMs: 300_000 },
      { itemId: 's0', ttlMs: 3_600_000 },
      { itemId: 'm2.b0.p1', ttlMs: 300_000 },
      { itemId: 'm2.b0.p1', ttlMs: 300_000 },
    ])
  })

  it.each([
    [{ tools: [{ name: 'f', input_schema: {} }] }, true],
    [{ tools: [{ type: 'custom', name: 'f', input_schema: {} }], tool_choice: { type: 'auto' } }, true],
    [{ tools: [{ name: 'f', input_schema: {} }], tool_choice: { type: 'any' } }, false],
    [{ tools: [{ name: 'f', input_schema: {} }], tool_choice: { type: 'none' } }, false],
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, false],
    [{ tools: [] }, false],
    [{}, false],
  ])('accepts a tool only beside tools that are in use and not forced: %j', (request, accepts) => {
    expect(decode({ messages: [user], ...request }).wire.acceptsTool).toBe(accepts)
  })

  it('keeps call ids that come back after their result apart', () => {
    const turn = [
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [result('a')] },
    ]
    expect(decode({ messages: [user, ...turn, ...turn] }).conversation.items.map((item) => item.group)).toEqual([
      undefined,
      'a',
      'a',
      'a#2',
      'a#2',
    ])
  })

  it('has no query before the user has said anything', () => {
    expect(decode({ messages: [{ role: 'assistant', content: 'hi' }] }).conversation.items[0]?.section).toBe('history')
  })
})

describe('a bad Anthropic request is refused by the field', () => {
  it.each<[object, string]>([
    [{ model: undefined, messages: [user] }, 'model'],
    [{}, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: 1 }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages[0].content[0].text'],
    [{ messages: [{ role: 'user', content: [result('a')] }] }, 'messages[0].content[0].tool_use_id'],
    [{ messages: [{ role: 'assistant', content: [use('a'), use('a')] }] }, 'messages[0].content[1].id'],
    [
      {
        messages: [
          { role: 'assistant', content: [use('a')] },
          { role: 'user', content: 'no result' },
          { role: 'assistant', content: [use('a')] },
        ],
      },
      'messages[2].content[0].id',
    ],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: '{}' }] }] },
      'messages[0].content[0].input',
    ],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', name: 'f', input: {} }] }] },
      'messages[0].content[0].id',
    ],
    [{ messages: [user], max_tokens: -5 }, 'max_tokens'],
    [{ messages: [user], system: 5 }, 'system'],
    [{ messages: [user], system: [5] }, 'system[0]'],
    [{ messages: [user], tools: [{ description: 'no name' }] }, 'tools[0].name'],
  ])('%j', (request, field) => {
    expect(() => decode(request)).toThrow(
      expect.objectContaining({ code: 'invalid-input', data: { field, remedy: expect.stringMatching(/./) } }),
    )
  })
})

describe('what the caller has Anthropic edit by itself', () => {
  const clearing = { type: 'clear_tool_uses_20250919' }
  it.each([
    [undefined, undefined],
    [[clearing], { clears: { aboveTokens: 100_000, keep: 3 } }],
    [
      [
        { type: 'clear_thinking_20251015', keep: 'all' },
        {
          ...clearing,
          trigger: { type: 'input_tokens', value: 30_000 },
          keep: { type: 'tool_uses', value: 5 },
          exclude_tools: ['memory'],
        },
      ],
      { clears: { aboveTokens: 30_000, keep: 5, sparedTools: ['memory'] } },
    ],
    [[{ ...clearing, trigger: { type: 'tool_uses', value: 10 } }], undefined],
    [[{ type: 'compact_20260112' }], { compactsAboveTokens: 150_000 }],
    [
      [clearing, { type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }],
      { clears: { aboveTokens: 100_000, keep: 3 }, compactsAboveTokens: 50_000 },
    ],
    ['what is this', undefined],
  ])('%j', (edits, editing) => {
    const { conversation } = decode({ messages: [user], context_management: { edits } })
    expect(conversation.editing).toEqual(editing)
  })
})
