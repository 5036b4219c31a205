import { describe, expect, it } from 'vitest'
import { codecCases, packOf, writeReply } from '../testing/index.ts'
import type { CodecCases } from '../testing/index.ts'
import type { EncodeView, WireExchange, Item, KnownDialect, Pack, PackEntry } from '../core/index.ts'
import type { Codec } from './index.ts'
import { codecFor, codecs } from './index.ts'

const facts: PackEntry = { itemId: 'kb', section: 'evidence', rung: 'full', text: 'Launch: 4 May', tokens: 3 }
const conversations: { readonly [Name in KnownDialect]: readonly [string, string, string] } = {
  'openai-chat': [
    '{"role":"user","content":"go"}',
    '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}',
    '{"role":"tool","tool_call_id":"a","content":"done"}',
  ],
  'anthropic-messages': [
    '{"role":"user","content":"go"}',
    '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}',
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"done"}]}',
  ],
  'openai-responses': [
    '{"role":"user","content":"go"}',
    '{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}',
    '{"type":"function_call_output","call_id":"a","output":"done"}',
  ],
  'gemini': [
    '{"role":"user","parts":[{"text":"go"}]}',
    '{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}}]}',
    '{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"done"}}}]}',
  ],
}

function casesOf({ dialect }: Codec): CodecCases {
  return codecCases[dialect as KnownDialect]
}

function messagesOf({ dialect }: Codec): readonly [string, string, string] {
  return conversations[dialect as KnownDialect]
}

function bodyOf(codec: Codec, ...more: readonly string[]): string {
  return casesOf(codec).bodyOf([...messagesOf(codec), ...more])
}

function withEntry(exchange: WireExchange, at: number, entry = facts): Pack {
  const pack = packOf(exchange)
  return { ...pack, entries: pack.entries.toSpliced(at, 0, entry) }
}

describe.each(codecs)('an entry that is not in the $dialect body', (codec) => {
  const said = casesOf(codec).userMessage(facts.text)
  const exchange = codec.decode({ body: bodyOf(codec) })
  const sent = (at: number, view: EncodeView = {}): string =>
    codec.encode(exchange, { pack: withEntry(exchange, at), ...view })

  it('goes where it stands among the entries', () => {
    const [first] = messagesOf(codec)
    expect(sent(0)).toBe(bodyOf(codec).replace(first, `${said},${first}`))
    expect(sent(1)).toBe(bodyOf(codec).replace(first, `${first},${said}`))
    expect(sent(3)).toBe(bodyOf(codec, said))
  })

  it('waits until a call has its result', () => {
    expect(sent(2)).toBe(bodyOf(codec, said))
  })

  it.each<[string, Partial<Item>]>([
    ['a tool result without a call', { kind: 'tool-result', role: 'tool' }],
    ['a call', { kind: 'tool-call', role: 'assistant' }],
    ['media without data', { kind: 'media' }],
    ['reasoning', { kind: 'reasoning', role: 'assistant' }],
    ['a tool', { kind: 'tool-schema', section: 'tools' }],
    ['words of the model', { kind: 'text', role: 'assistant' }],
  ])('is refused by name when it is %s', (_, members) => {
    const item: Item = { id: 'kb', section: 'evidence', kind: 'evidence', text: 'x', ...members }
    expect(() => sent(1, { items: [item] })).toThrow(
      expect.objectContaining({ code: 'compile-assertion', message: expect.stringContaining('kb') }),
    )
  })

  it('of a layer goes upstream without a compile', () => {
    const item: Item = { id: 'kb', section: 'evidence', kind: 'evidence', text: 'Launch: 4 May' }
    const { conversation } = exchange
    const added: WireExchange = { ...exchange, conversation: { ...conversation, items: [...conversation.items, item] } }
    expect(codec.encode(added, {})).toBe(bodyOf(codec, said))
  })

  it('stands in the next request where it stood, and before what came later', () => {
    const overlay = codec.overlayOf(exchange, { pack: withEntry(exchange, 1) })
    const next = bodyOf(codec, casesOf(codec).userMessage('and now?'))
    const { body: restored } = codec.restore(next, overlay)
    expect(restored).toContain(sent(1).slice(0, -2))
    const again = codec.decode({ body: restored })
    const later = { ...facts, itemId: 'kb2', text: 'Rain' }
    const view = { pack: withEntry(again, again.conversation.items.length, later) }
    const both = [...overlay, ...codec.overlayOf(again, view)]
    expect(codec.restore(next, both).body).toBe(codec.encode(again, view))
  })

  it('is left out when the client no longer has what it stood beside', () => {
    const overlay = codec.overlayOf(exchange, { pack: withEntry(exchange, 3) })
    const other = casesOf(codec).bodyOf([casesOf(codec).userMessage('something else')])
    expect(codec.restore(other, overlay)).toEqual({ body: other, placed: [], lost: [] })
  })

  it('moves a breakpoint that stands on it to the item before', () => {
    const at = (itemId: string): string => {
      const pack = { ...withEntry(exchange, 1), breakpoints: [{ itemId, ttlMs: 300_000 }] }
      return codec.encode(exchange, { pack })
    }
    expect(at('kb')).toBe(at(exchange.conversation.items[0]?.id ?? ''))
  })
})

describe.each(codecs)('an insertion beside a hidden $dialect turn', (codec) => {
  const plain = {
    id: 'r',
    reasoning: '',
    texts: ['Found. '],
    calls: [],
    stop: 'end',
    input: 1,
    cached: 0,
    output: 1,
  } as const
  const ours = [{ id: 'h', name: 'rehydrate', arguments: '{}' }]
  const replyOf = (reply: Parameters<typeof writeReply>[1]) =>
    codec.decodeReply(writeReply(codec.dialect, reply, (words) => [words]).body)
  const { bodyOf: bodyWith, userMessage: user } = casesOf(codec)
  const said = user(facts.text)

  it('stands where it stood, before what the client said next', () => {
    const first = bodyWith([user('go')])
    const turn = codec.hiddenTurn({
      body: first,
      rounds: [
        { reply: replyOf({ ...plain, calls: ours, stop: 'calls' }), results: [{ callId: 'h', text: 'all of it' }] },
      ],
      last: { reply: replyOf({ ...plain, texts: ['So it is.'] }), results: [] },
      hiddenTools: new Set(['rehydrate']),
    })
    const hidden = turn === undefined ? [] : [{ kind: 'hidden-turn', turn } as const]
    const apart = codec.dialect === 'anthropic-messages' || codec.dialect === 'openai-responses'
    const texts = apart ? ['Found. ', 'So it is.'] : ['Found. So it is.']
    const seen = replyOf({ ...plain, texts }).message ?? ''
    const second = bodyWith([user('go'), seen, user('and now?')])
    const restored = codec.decode(codec.restore(second, hidden))
    expect(restored.conversation.items.map((item) => item.text)).toContain('all of it')
    const view = { pack: withEntry(restored, restored.conversation.items.length - 1) }
    const sent = codec.encode(restored, view)
    expect(sent).toContain(`${said},${user('and now?')}`)
    const third = bodyWith([user('go'), seen, user('and now?'), seen, user('thanks')])
    const { body: again } = codec.restore(third, [...hidden, ...codec.overlayOf(restored, view)])
    expect(again.startsWith(sent.slice(0, -2))).toBe(true)
  })
})

describe('instructions that are not in the body', () => {
  const law: Item = { id: 'law', section: 'policy', kind: 'instruction', role: 'system', text: 'Be brief.' }
  const entry: PackEntry = { ...facts, itemId: 'law', section: 'policy', text: law.text }

  it('are a system message of OpenAI, and have no place in Anthropic', () => {
    const [chat, claude] = [codecFor('openai-chat'), codecFor('anthropic-messages')]
    const exchange = chat.decode({ body: bodyOf(chat) })
    expect(chat.encode(exchange, { pack: withEntry(exchange, 0, entry), items: [law] })).toContain(
      '[{"role":"system","content":"Be brief."},{"role":"user"',
    )
    const other = claude.decode({ body: bodyOf(claude) })
    expect(() => claude.encode(other, { pack: withEntry(other, 0, entry), items: [law] })).toThrow(/law/)
  })
})
