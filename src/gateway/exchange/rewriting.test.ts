import { describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { Dialect, WireExchange, Item } from '../../core/index.ts'
import { exchangeOf } from './exchange.fixture.ts'
import { layeredRequest, outgoingBody } from './exchange.ts'
import type { Exchange, ReceivedRequest } from './exchange.ts'
import { admitted, asItCame, rewritten, rewrittenBy } from './rewriting.ts'
import type { PrepareRewrite, Rewrite } from './rewriting.ts'

interface Last {
  readonly received?: WireExchange
  readonly layered?: WireExchange
}

function requestOf(dialect: Dialect, json: object, { received: previous, layered }: Last = {}): Exchange {
  const codec = codecFor(dialect)
  const body = JSON.stringify(json)
  const decoded = codec.decode({ body }, previous)
  const received: ReceivedRequest = {
    exchange: decoded,
    ...(layered && { lastLayered: layered }),
    bytes: Buffer.from(body),
  }
  return exchangeOf({ codec, received })
}

const masked = (text: string): string => text.replaceAll('jane', '[1]')
const mask: Rewrite = (item) => ({ ...item, text: masked(item.text) })
const sent = (exchange: Exchange): unknown => JSON.parse(String(outgoingBody(exchange)))

const user = (content: string): object => ({ role: 'user', content })
const assistant = (content: unknown): object => ({ role: 'assistant', content })
const chat = (...messages: readonly object[]): object => ({ model: 'gpt-5.1', messages })

describe('a rewrite', () => {
  it('leaves the client its bytes where copies of items say the same', () => {
    const exchange = requestOf('openai-chat', chat(user('hello')))
    expect(outgoingBody(rewritten(exchange, mask))).toBe(exchange.received.bytes)
  })

  it('is asked once for an item, also in the next request of the session', () => {
    const asked: string[] = []
    const noting: Rewrite = (item) => {
      asked.push(item.text)
      return mask(item)
    }
    const talk = [user('I am jane'), assistant('Hello.')]
    const first = rewritten(requestOf('openai-chat', chat(...talk)), noting)
    const layered = layeredRequest(first)
    const next = requestOf('openai-chat', chat(...talk, user('Who is jane?')), {
      received: first.received.exchange,
      layered,
    })
    const again = layeredRequest(rewritten(next, noting))
    // What was asked last is history in the next request, and so another item.
    expect(asked).toEqual(['I am jane', 'Hello.', 'I am jane', 'Who is jane?'])
    expect(again.conversation.items.map(({ text }) => text)).toEqual(['I am [1]', 'Hello.', 'Who is [1]?'])
    // What sessions know of items they know by these objects.
    expect(again.conversation.items[1]).toBe(layered.conversation.items[1])
  })

  it('that is prepared is given the items that are new to it, and those that come in later', async () => {
    const asked: (readonly string[])[] = []
    const prepare: PrepareRewrite = async (items) => {
      asked.push(items.map(({ text }) => text))
      return mask
    }
    const first = await rewrittenBy(requestOf('openai-chat', chat(user('I am jane'))), prepare)
    expect(sent(first)).toEqual(chat(user('I am [1]')))
    const late: Item = { id: 'late', section: 'evidence', kind: 'text', text: 'jane again' }
    expect((await admitted(first, late)).text).toBe('[1] again')
    await rewrittenBy(
      requestOf('openai-chat', chat(user('I am jane'), assistant('Hi.')), { received: first.received.exchange }),
      prepare,
    )
    expect(asked).toEqual([['I am jane'], ['jane again'], expect.arrayContaining(['Hi.'])])
  })

  it('holds for the request as it came, too', async () => {
    const exchange = rewritten(requestOf('openai-chat', chat(user('I am jane'), assistant('Hi.'))), mask)
    const { conversation } = exchange
    const shorter = { ...exchange, conversation: { ...conversation, items: conversation.items.slice(0, 1) } }
    expect(sent(await asItCame(shorter))).toEqual(chat(user('I am [1]'), assistant('Hi.')))
  })

  it('keeps what layers before it have changed where sealed reasoning goes', async () => {
    const thinking = { type: 'thinking', thinking: 'jane?', signature: 'c2ln' }
    const body = {
      model: 'claude-sonnet-4-6',
      max_tokens: 9,
      messages: [user('Hi.'), assistant([thinking, block('Yes.')])],
    }
    const loud: Rewrite = (item) => (item.kind === 'reasoning' ? item : { ...item, text: item.text.toUpperCase() })
    const exchange = rewritten(rewritten(requestOf('anthropic-messages', body), loud), mask)
    expect(sent(exchange)).toEqual({ ...body, messages: [user('HI.'), assistant([block('YES.')])] })
    expect(sent(await asItCame(exchange))).toEqual({ ...body, messages: [user('HI.'), assistant([block('YES.')])] })
  })
})

function block(words: string): object {
  return { type: 'text', text: words }
}

interface Sealed {
  readonly name: string
  readonly dialect: Dialect
  readonly body: object
  /** What goes upstream. */
  readonly sent: object
}

const claude = { model: 'claude-sonnet-4-6', max_tokens: 4096 }
const thinks = { thinking: { type: 'enabled', budget_tokens: 1024 } }
const signed = { type: 'thinking', thinking: 'jane asks', signature: 'c2ln' }
const other = { type: 'thinking', thinking: 'somebody asks', signature: 'b3RoZXI=' }
const toolUse = { type: 'tool_use', id: 'c1', name: 'f', input: { to: 'jane' } }
const maskedUse = { ...toolUse, input: { to: '[1]' } }
const toolResult = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] }
const claudeTools = { tools: [{ name: 'f', input_schema: { type: 'object' } }] }
const chatCall = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
const answer = { role: 'tool', tool_call_id: 'c1', content: 'ok' }
const said = (content: string): object => ({ type: 'message', role: 'user', content })
const sealed = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'jane asks' }],
  encrypted_content: 'c2VhbA',
}
const kept = { ...sealed, id: 'rs_2', summary: [], encrypted_content: 'a2VwdA' }
const spoken = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }
const geminiUser = { role: 'user', parts: [{ text: 'Mail.' }] }
const call = (to: string): object => ({ functionCall: { name: 'f', args: { to } } })
const response = { role: 'user', parts: [{ functionResponse: { name: 'f', response: { result: 'ok' } } }] }

const cases: readonly Sealed[] = [
  {
    name: 'Claude: signed thinking goes, other thinking stays',
    dialect: 'anthropic-messages',
    body: {
      ...claude,
      messages: [user('a'), assistant([signed, block('b')]), user('c'), assistant([other, block('d')]), user('e')],
    },
    sent: {
      ...claude,
      messages: [user('a'), assistant([block('b')]), user('c'), assistant([other, block('d')]), user('e')],
    },
  },
  {
    name: 'Claude: a turn that calls goes on without thinking',
    dialect: 'anthropic-messages',
    body: { ...claude, ...thinks, ...claudeTools, messages: [user('a'), assistant([signed, toolUse]), toolResult] },
    sent: { ...claude, ...claudeTools, messages: [user('a'), assistant([maskedUse]), toolResult] },
  },
  {
    name: 'Chat: reasoning that goes back as it came',
    dialect: 'openai-chat',
    body: {
      model: 'deepseek-chat',
      messages: [user('a'), { role: 'assistant', content: 'b', reasoning_content: 'jane asks' }, user('c')],
    },
    sent: { model: 'deepseek-chat', messages: [user('a'), assistant('b'), user('c')] },
  },
  {
    name: 'Chat: details of reasoning beside a call',
    dialect: 'openai-chat',
    body: {
      model: 'x-ai/grok',
      messages: [
        user('a'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [chatCall],
          reasoning_details: [{ type: 'reasoning.text', text: 'jane' }],
        },
        answer,
      ],
    },
    sent: {
      model: 'x-ai/grok',
      messages: [user('a'), { role: 'assistant', content: null, tool_calls: [chatCall] }, answer],
    },
  },
  {
    name: 'Responses: a sealed item goes, another stays',
    dialect: 'openai-responses',
    body: { model: 'gpt-5.1', input: [said('a'), sealed, spoken, said('b'), kept, spoken, said('c')] },
    sent: { model: 'gpt-5.1', input: [said('a'), spoken, said('b'), kept, spoken, said('c')] },
  },
  {
    name: 'Gemini: a thought goes, a call is signed by nobody',
    dialect: 'gemini',
    body: {
      contents: [
        geminiUser,
        {
          role: 'model',
          parts: [
            { text: 'jane asks', thought: true },
            { ...call('jane'), thoughtSignature: 'c2ln' },
          ],
        },
        response,
      ],
    },
    sent: { contents: [geminiUser, { role: 'model', parts: [call('[1]')] }, response] },
  },
]

describe('what its provider has sealed', () => {
  it.each(cases)('$name', ({ dialect, body, sent: expected }) => {
    const exchange = requestOf(dialect, body)
    expect(sent(rewritten(exchange, mask))).toEqual(expected)
    expect(exchange.trace.headers['x-prehend-lost']).toMatch(/^reasoning \d$/)
  })

  it.each(cases)('stays where the rewrite leaves it alone: $name', ({ dialect, body }) => {
    const exchange = requestOf(dialect, body)
    const open: Rewrite = (item) => (item.frozen ? item : { ...item, section: item.section })
    expect(outgoingBody(rewritten(exchange, open))).toBe(exchange.received.bytes)
  })

  it('leaves what the model said and called beside it to be changed', () => {
    const messages = [user('a'), assistant([other, block('To jane.'), toolUse]), toolResult]
    const body = { ...claude, ...thinks, ...claudeTools, messages }
    const expected = { ...body, messages: [user('a'), assistant([other, block('To [1].'), maskedUse]), toolResult] }
    const exchange = rewritten(requestOf('anthropic-messages', body), mask)
    expect(sent(exchange)).toEqual(expected)
    expect(JSON.parse(layeredRequest(exchange).wire.body)).toEqual(expected)
  })

  it('leaves words with annotations to be changed', () => {
    const source = { type: 'url_citation', start_index: 0, end_index: 8, url: 'https://example.org', title: 'x' }
    const cited = (words: string): object => ({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: words, annotations: [source] }],
    })
    const body = (words: string): object => ({ model: 'gpt-5.1', input: [said('a'), cited(words), said('b')] })
    expect(sent(rewritten(requestOf('openai-responses', body('To jane.')), mask))).toEqual(body('To [1].'))
  })

  it('ends the request where it is no reasoning', () => {
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'jane' } }
    const body = { ...claude, messages: [user('a'), assistant([search, block('b')]), user('c')] }
    const exchange = rewritten(requestOf('anthropic-messages', body), mask)
    expect(() => outgoingBody(exchange)).toThrow('is frozen')
  })
})

describe('media', () => {
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const withheld: Rewrite = (item) => (item.kind === 'media' ? { ...item, text: '(a picture, withheld)' } : item)

  it('are left as they are by a rewrite of words', () => {
    const body = chat({ role: 'user', content: [{ type: 'image_url', image_url: { url } }, block('jane')] })
    expect(sent(rewritten(requestOf('openai-chat', body), mask))).toEqual(
      chat({ role: 'user', content: [{ type: 'image_url', image_url: { url } }, block('[1]')] }),
    )
  })

  it('are replaced by the words that a rewrite gives them', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    const anthropic = { ...claude, messages: [{ role: 'user', content: [image, block('What is it?')] }] }
    expect(sent(rewritten(requestOf('anthropic-messages', anthropic), withheld))).toEqual({
      ...claude,
      messages: [{ role: 'user', content: [block('(a picture, withheld)'), block('What is it?')] }],
    })
    const openai = chat({ role: 'user', content: [{ type: 'image_url', image_url: { url } }, block('What is it?')] })
    expect(sent(rewritten(requestOf('openai-chat', openai), withheld))).toEqual(
      chat({ role: 'user', content: [block('(a picture, withheld)'), block('What is it?')] }),
    )
  })
})
