import { describe, expect, it } from 'vitest'
import { packOf } from '../../testing/index.ts'
import type { Pack } from '../../core/index.ts'
import { itemIdAt, textAt } from '../item-places.fixture.ts'
import { openaiChat } from './index.ts'

const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path": "a.ts"}' } }
const tool = { type: 'function', function: { name: 'read', parameters: { type: 'object' } } }
const request = {
  model: 'gpt-5.6-sol',
  messages: [
    { role: 'system', content: 'policy' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'fix' },
        { type: 'text', text: 'it' },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'long text' },
  ],
  tools: [tool],
}
const body = JSON.stringify(request)

const at = (place: string): string => itemIdAt(openaiChat.decode({ body }), place)

function shown(texts: Readonly<Record<string, string | undefined>>, from = body): Pack {
  const exchange = openaiChat.decode({ body: from })
  return packOf(exchange, textAt(exchange, texts))
}

function encode(texts: Readonly<Record<string, string | undefined>>, more: object = {}): string {
  return openaiChat.encode(openaiChat.decode({ body }), { pack: shown(texts), ...more })
}

describe('encoding an OpenAI request', () => {
  it('changes the words of a result, a part and a call in place', () => {
    const changed = encode({ 'm3': 'short\n"text"', 'm1.b1': 'that', 'm2.c0': '{"path":1}' })
    const expected = body
      .replace('"long text"', String.raw`"short\n\"text\""`)
      .replace('"it"', '"that"')
      .replace(String.raw`"{\"path\": \"a.ts\"}"`, String.raw`"{\"path\":1}"`)
    expect(changed).toBe(expected)
  })

  it('replaces a tool definition as a whole, and refuses one that is no object', () => {
    expect(encode({ t0: '{"type":"function"}' })).toBe(body.replace(JSON.stringify(tool), '{"type":"function"}'))
    expect(() => encode({ t0: 'none' })).toThrow(expect.objectContaining({ code: 'compile-assertion' }))
  })

  it('adds a tool at the end, and hidden messages after theirs', () => {
    const hiddenTools = [{ name: 'rehydrate', description: 'd', schema: { type: 'object' } }]
    const hidden = [{ afterId: `@${at('m3')}`, messages: ['{"a":1}', '{"b":2}'] }]
    const added = '{"type":"function","function":{"name":"rehydrate","description":"d","parameters":{"type":"object"}}}'
    const expected = body
      .replace('"long text"}', '"long text"},{"a":1},{"b":2}')
      .replace(`${JSON.stringify(tool)}]`, `${JSON.stringify(tool)},${added}]`)
    expect(encode({}, { hiddenTools, hidden })).toBe(expected)
  })

  it('refuses a tool where none is accepted, or of a name that is taken', () => {
    const hiddenTools = [{ name: 'read', description: '', schema: {} }]
    expect(() => encode({}, { hiddenTools })).toThrow(/already/)
    const plain = openaiChat.decode({ body: JSON.stringify({ ...request, tools: undefined }) })
    expect(() => openaiChat.encode(plain, { pack: packOf(plain), hiddenTools })).toThrow(
      expect.objectContaining({ code: 'compile-assertion' }),
    )
  })

  it('places explicit breakpoints on text, and before a call that can carry none', () => {
    const pack = {
      ...shown({}),
      breakpoints: [
        { itemId: at('m2.c0'), ttlMs: 1_800_000 },
        { itemId: at('m3'), ttlMs: 43_200_000 },
      ],
    }
    const encoded = openaiChat.encode(openaiChat.decode({ body }), { pack })
    const expected = body
      .replace('"text":"it"', '"text":"it","prompt_cache_breakpoint":{"mode":"explicit"}')
      .replace(
        '"long text"',
        '[{"type":"text","text":"long text","prompt_cache_breakpoint":{"mode":"explicit","ttl":"12h"}}]',
      )
    expect(encoded).toBe(expected)
  })

  it.each([
    { ...request, prompt_cache_options: { mode: 'explicit' } },
    {
      ...request,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } }] },
      ],
    },
  ])('leaves caching to a caller who has taken it into his own hands', (own) => {
    const exchange = openaiChat.decode({ body: JSON.stringify(own) })
    const last = exchange.conversation.items.at(-1)?.id ?? ''
    const pack = { ...packOf(exchange), breakpoints: [{ itemId: last, ttlMs: 1 }] }
    expect(openaiChat.encode(exchange, { pack })).toBe(exchange.wire.body)
  })

  it.each([
    ['{"prehend":{"a":1},"model":"m","messages":[]}', '{"model":"m","messages":[]}'],
    ['{"model":"m", "bardo" : 1 ,"messages":[] ,"prehend":2 }', '{"model":"m" ,"messages":[] }'],
    ['{ "prehend":1, "bardo":2, "model":"m","messages":[]}', '{ "model":"m","messages":[]}'],
    ['{"model":"m","\\u0070rehend":null,"messages":[]}', '{"model":"m","messages":[]}'],
  ])('takes the extension out: %s', (with_, without) => {
    const message = (text: string): string => text.replace('[]', '[{"role":"user","content":"hi"}]')
    const exchange = openaiChat.decode({ body: message(with_) })
    expect(openaiChat.encode(exchange, { pack: packOf(exchange) })).toBe(message(without))
  })

  it('lays a pack out as the whole conversation', () => {
    const pack: Pack = {
      ...shown({}),
      layout: 'payload',
      messages: [
        { role: 'system', text: 's' },
        { role: 'user', text: 'u' },
      ],
    }
    const laidOut = JSON.parse(openaiChat.encode(openaiChat.decode({ body }), { pack }))
    expect(laidOut).toEqual({
      ...request,
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
      ],
    })
  })

  it('keeps the spelling of a text that is shown as it was', () => {
    const exchange = openaiChat.decode({ body: body.replace('"long text"', String.raw`"long \u0074ext"`) })
    expect(openaiChat.encode(exchange, { pack: packOf(exchange) })).toBe(exchange.wire.body)
  })

  it('refuses to change what is frozen', () => {
    const exchange = openaiChat.decode({
      body: body.replace('"content":null', '"content":null,"reasoning_content":"hm"'),
    })
    const pack = packOf(exchange, (item) => (item.kind === 'reasoning' ? 'other' : item.text))
    expect(() => openaiChat.encode(exchange, { pack })).toThrow(/frozen/)
  })
})

describe('omitting items of an OpenAI request', () => {
  it('takes out a part, a message, or a call together with its result', () => {
    expect(encode({ 'm1.b0': undefined })).toBe(body.replace('{"type":"text","text":"fix"},', ''))
    expect(encode({ m0: undefined })).toBe(body.replace('{"role":"system","content":"policy"},', ''))
    expect(JSON.parse(encode({ 'm2.c0': undefined, 'm3': undefined })).messages).toEqual(request.messages.slice(0, 2))
  })

  it('leaves the words of a message whose calls are gone, and null where only calls are left', () => {
    const said = body.replace('"content":null', '"content":"I read"')
    const decoded = openaiChat.decode({ body: said })
    const messagesOf = (pack: Pack): readonly unknown[] => JSON.parse(openaiChat.encode(decoded, { pack })).messages
    expect(messagesOf(shown({ 'm2.c0': undefined, 'm3': undefined }, said))[2]).toEqual({
      role: 'assistant',
      content: 'I read',
    })
    expect(messagesOf(shown({ m2: undefined }, said))[2]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [call],
    })
  })

  it.each([{ m3: undefined }, { 'm2.c0': undefined }, { t0: undefined }])(
    'refuses %j, which the provider would reject',
    (texts) => {
      expect(() => encode(texts)).toThrow(expect.objectContaining({ code: 'compile-assertion' }))
    },
  )
})
