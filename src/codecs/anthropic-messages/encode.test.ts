import { describe, expect, it } from 'vitest'
import { packOf } from '../../testing/index.ts'
import type { WireExchange, Pack } from '../../core/index.ts'
import { itemIdAt, placeOfItem, textAt } from '../item-places.fixture.ts'
import { anthropicMessages } from './index.ts'

const thinking = '{"type":"thinking","thinking":"hm","signature":"c2ln+/=="}'
const tool = '{"name":"read","input_schema":{"type":"object","properties":{"n":{"minimum":1.0}}}}'
const body = [
  '{"model":"claude-sonnet-5-5","max_tokens":100,',
  `"tools":[${tool}],"system":"policy","messages":[`,
  '{"role":"user","content":"fix it"},',
  '{"role":"assistant","content":[{"type":"text","text":"I read"},{"type":"tool_use","id":"a","name":"read","input":{ "n": 1.0 }}]},',
  '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"long text"}]}',
  ']}',
].join('')
const cached = '"cache_control":{"type":"ephemeral"}'

function shown(exchange: WireExchange, texts: Readonly<Record<string, string | undefined>>): Pack {
  return packOf(exchange, textAt(exchange, texts))
}

function encode(texts: Readonly<Record<string, string | undefined>>, from = body): string {
  const exchange = anthropicMessages.decode({ body: from })
  return anthropicMessages.encode(exchange, { pack: shown(exchange, texts) })
}

function mark(from: string, ...points: readonly (readonly [itemId: string, ttlMs: number])[]): string {
  const exchange = anthropicMessages.decode({ body: from })
  const breakpoints = points.map(([place, ttlMs]) => ({ itemId: itemIdAt(exchange, place), ttlMs }))
  return anthropicMessages.encode(exchange, { pack: { ...packOf(exchange), breakpoints } })
}

describe('encoding an Anthropic request', () => {
  it('changes words, inputs and definitions in place', () => {
    const changed = encode({
      's0': 'law',
      'm1.b0': 'Reading',
      'm1.b1': '{"n":2}',
      'm2.b0': 'short',
      't0': '{"name":"read"}',
    })
    const expected = body
      .replace('"policy"', '"law"')
      .replace('"I read"', '"Reading"')
      .replace('{ "n": 1.0 }', '{"n":2}')
      .replace('"long text"', '"short"')
      .replace(tool, '{"name":"read"}')
    expect(changed).toBe(expected)
  })

  it('changes one text part of a result beside an image, and nothing around it', () => {
    const parts = '[{"type":"image","source":{"type":"url","url":"x"}},{"type":"text","text":"long"}]'
    const from = body.replace('"long text"', `${parts},"is_error":true`)
    expect(encode({ 'm2.b0.p1': 'short' }, from)).toBe(from.replace('"long"', '"short"'))
  })

  it('refuses an input that is no JSON object', () => {
    expect(() => encode({ 'm1.b1': 'n=2' })).toThrow(expect.objectContaining({ code: 'compile-assertion' }))
  })

  it('thinking with signature goes out as it came, and nothing of its message may change', () => {
    const signed = body.replace('"content":[{"type":"text"', `"content":[${thinking},{"type":"text"`)
    expect(encode({ 'm2.b0': 'short' }, signed)).toContain(thinking)
    expect(() => encode({ 'm1.b1': 'Reading' }, signed)).toThrow(/frozen/)
    expect(() => encode({ 'm1.b0': undefined }, signed)).toThrow(/frozen/)
  })

  it('system messages that have lost their neighbours are said by the user, marked as what they are', () => {
    const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [result('a')] },
      { role: 'system', content: 'One "token" left.' },
      { role: 'assistant', content: [use('b')] },
      { role: 'user', content: [result('b')] },
      { role: 'system', content: [{ type: 'text', text: 'None left.' }] },
      { role: 'assistant', content: 'Done.' },
    ]
    const from = JSON.stringify({ model: 'claude-opus-5', max_tokens: 9, messages })
    const roles = (text: string): readonly string[] =>
      (JSON.parse(text) as { messages: { role: string }[] }).messages.map(({ role }) => role)
    const without = (...places: readonly string[]): string =>
      encode(Object.fromEntries(places.map((place) => [place, undefined])), from)
    const oneStep = without('m4.b0', 'm5.b0')
    expect(roles(oneStep)).toEqual(['user', 'assistant', 'user', 'user', 'system', 'assistant'])
    expect(oneStep).toContain(JSON.stringify('<system>\nOne "token" left.\n</system>'))
    expect(oneStep).toContain('{"role":"system","content":[{"type":"text","text":"None left."}]}')
    expect(roles(without('m1.b0', 'm2.b0', 'm4.b0', 'm5.b0'))).toEqual(['user', 'user', 'system', 'assistant'])
    expect(without()).toBe(from)
  })

  it('lays a pack out as system and turns', () => {
    const exchange = anthropicMessages.decode({ body })
    const messages = [
      { role: 'system', text: 'a' },
      { role: 'developer', text: 'b' },
      { role: 'user', text: 'u' },
    ] as const
    const laidOut = JSON.parse(
      anthropicMessages.encode(exchange, { pack: { ...packOf(exchange), layout: 'payload', messages } }),
    )
    expect(laidOut).toMatchObject({ system: 'a\n\nb', messages: [{ role: 'user', content: 'u' }] })
  })
})

describe('cache markers', () => {
  it('C-008: go on tools, system, strings and blocks', () => {
    const marked = mark(body, ['t0', 3_600_000], ['s0', 3_600_000], ['m0', 300_000], ['m2.b0', 300_000])
    const expected = body
      .replace(tool, `${tool.slice(0, -1)},"cache_control":{"type":"ephemeral","ttl":"1h"}}`)
      .replace('"policy"', '[{"type":"text","text":"policy","cache_control":{"type":"ephemeral","ttl":"1h"}}]')
      .replace('"fix it"', `[{"type":"text","text":"fix it",${cached}}]`)
      .replace('"long text"}', `"long text",${cached}}`)
    expect(marked).toBe(expected)
  })

  it('C-008, X-05: go on a definition that is shown shorter', () => {
    const exchange = anthropicMessages.decode({ body })
    const breakpoints = [{ itemId: itemIdAt(exchange, 't0'), ttlMs: 300_000 }]
    const pack = { ...shown(exchange, { t0: '{"name":"read"}' }), breakpoints }
    expect(anthropicMessages.encode(exchange, { pack })).toBe(body.replace(tool, `{"name":"read",${cached}}`))
  })

  it('go on the result, not on its parts, and take the place of null', () => {
    const from = body.replace(
      '"long text"}',
      '[{"type":"text","text":"a"},{"type":"text","text":"b"}],"cache_control":null}',
    )
    expect(mark(from, ['m2.b0.p1', 300_000])).toBe(from.replace('"cache_control":null', cached))
  })

  it('move back from thinking, empty text and unknown blocks to a block that may carry them', () => {
    const blocks = `{"type":"text","text":""},{"type":"x_new"},${thinking}`
    const from = body.replace('"content":[{"type":"tool_result"', `"content":[${blocks},{"type":"tool_result"`)
    const expected = from.replace('"input":{ "n": 1.0 }}', `"input":{ "n": 1.0 },${cached}}`)
    expect(mark(from, ['m2.b2', 300_000])).toBe(expected)
  })

  it('that fall on one block are one', () => {
    const parts = '[{"type":"text","text":"a"},{"type":"text","text":"b"}]'
    const marked = mark(body.replace('"long text"', parts), ['m2.b0.p0', 300_000], ['m2.b0.p1', 300_000])
    expect(marked.split('cache_control')).toHaveLength(2)
  })

  it('are placed by the provider alone where the caller asks for that', () => {
    const own = body.replace('{"model"', `{${cached},"model"`)
    expect(mark(own, ['m0', 300_000])).toBe(own)
  })

  it("join the caller's own, which stay and count", () => {
    const own = body.replace('"name":"read",', `"name":"read",${cached},`)
    const both = mark(own, ['m0', 300_000])
    expect(both.match(/cache_control/g)).toHaveLength(2)
    expect(JSON.parse(both).tools).toEqual(JSON.parse(own).tools)
    const exchange = anthropicMessages.decode({ body: own })
    const others = exchange.conversation.items.filter(({ kind }) => kind !== 'tool-schema').slice(0, 4)
    const places = others.map(({ id }) => [placeOfItem(exchange, id), 300_000] as const)
    expect(() => mark(own, ...places)).toThrow(/at most 4/)
  })

  it('are at most four', () => {
    const exchange = anthropicMessages.decode({ body })
    const all = exchange.conversation.items.map(({ id }) => [placeOfItem(exchange, id), 300_000] as const)
    expect(() => mark(body, ...all)).toThrow(/at most 4/)
  })

  it('pass over tools that are loaded on demand', () => {
    const deferred = body.replace('"name":"read",', '"name":"read","defer_loading":true,')
    expect(mark(deferred, ['t0', 300_000])).toBe(deferred)
  })
})

describe('omitting items of an Anthropic request', () => {
  it('takes out blocks, system, and calls with their results', () => {
    expect(encode({ 'm1.b0': undefined })).toBe(body.replace('{"type":"text","text":"I read"},', ''))
    expect(encode({ s0: undefined })).toBe(body.replace('"system":"policy",', ''))
    expect(JSON.parse(encode({ 'm1.b1': undefined, 'm2.b0': undefined })).messages).toEqual([
      { role: 'user', content: 'fix it' },
      { role: 'assistant', content: [{ type: 'text', text: 'I read' }] },
    ])
  })

  it('takes out one part of a result', () => {
    const from = body.replace('"long text"', '[{"type":"text","text":"a"},{"type":"text","text":"b"}]')
    expect(encode({ 'm2.b0.p0': undefined }, from)).toBe(from.replace('{"type":"text","text":"a"},', ''))
  })

  it.each([
    ['a call without its result', { 'm1.b1': undefined }],
    ['a result without its call', { 'm2.b0': undefined }],
    ['the message of the user that comes first', { m0: undefined }],
    ['all tools', { t0: undefined }],
    [
      'everything',
      Object.fromEntries(['t0', 's0', 'm0', 'm1.b0', 'm1.b1', 'm2.b0'].map((place) => [place, undefined])),
    ],
  ])('refuses to omit %s', (_, texts) => {
    expect(() => encode(texts)).toThrow(expect.objectContaining({ code: 'compile-assertion' }))
  })
})

describe('an exchange that was copied', () => {
  it('encodes as the original does', () => {
    const exchange = anthropicMessages.decode({ body })
    const copy: WireExchange = JSON.parse(JSON.stringify(exchange))
    const pack = shown(exchange, { 'm2.b0': 'short' })
    expect(anthropicMessages.encode(copy, { pack })).toBe(anthropicMessages.encode(exchange, { pack }))
  })
})
