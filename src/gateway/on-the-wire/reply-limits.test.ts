import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { RequestListener, ServerResponse } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { fetchUpstream } from '../../providers/index.ts'
import { filtered } from '../index.ts'
import type { GatewayConfigInput, Layer } from '../index.ts'
import { closeGateways, gatewayBefore } from './any-upstream.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { DialectFixture } from './test-gateway.fixture.ts'

afterEach(async () => {
  await closeGateways()
  await closeTestGateways()
})

const limits = { replyBytes: 65_536, eventBytes: 32_768 }
/** What has to be read, because our own tool may be called in it, and what need not be. */
const read: readonly [string, object, GatewayConfigInput] = ['read', {}, { limits }]
const relayed: readonly (readonly [string, object, GatewayConfigInput])[] = [
  ['on, no tools', { tools: undefined }, { limits }],
  ['observe', {}, { limits, mode: 'observe' }],
  ['off', {}, { limits, mode: 'off' }],
]

const openaiChunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', created: 1, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const anthropicEvent = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
const usage = { input_tokens: 1, output_tokens: 1 }

interface Case extends DialectFixture {
  whole(text: string): string
  /** A stream whose text comes in these pieces, an event each. */
  stream(pieces: readonly string[]): string
  /** Asks with the dialect's own library; rejects where that says that the answer is broken. */
  ask(url: string, more: object): Promise<unknown>
}

const dialects: readonly Case[] = [
  {
    ...openaiFixture,
    whole: (content) =>
      JSON.stringify({
        id: 'c',
        object: 'chat.completion',
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      }),
    stream: (pieces) =>
      `${openaiChunk({ role: 'assistant' })}${pieces.map((content) => openaiChunk({ content })).join('')}${openaiChunk({}, 'stop')}data: [DONE]\n\n`,
    ask: async (url, more) => {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
      const body = openaiFixture.body(1, { ...more }) as unknown as OpenAI.ChatCompletionCreateParamsStreaming
      return body.stream
        ? client.chat.completions.stream(body).finalChatCompletion()
        : client.chat.completions.create(body)
    },
  },
  {
    ...anthropicFixture,
    whole: (text) =>
      JSON.stringify({
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        usage,
      }),
    stream: (pieces) =>
      [
        anthropicEvent('message_start', {
          message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage },
        }),
        anthropicEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        ...pieces.map((text) =>
          anthropicEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
        ),
        anthropicEvent('content_block_stop', { index: 0 }),
        anthropicEvent('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }),
        anthropicEvent('message_stop', {}),
      ].join(''),
    ask: async (url, more) => {
      const client = new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 })
      const { stream, ...body } = anthropicFixture.body(1, { ...more }) as Record<string, unknown>
      const asked = body as unknown as Anthropic.MessageCreateParamsNonStreaming
      return stream === true ? client.messages.stream(asked).finalMessage() : client.messages.create(asked)
    },
  },
]

const json = (body: string | Uint8Array, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body)
}
const sse = (body: string | Uint8Array, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end(body)
}

const postTo = (url: string, dialect: DialectFixture, more: object): Promise<Response> =>
  post({ url }, dialect, dialect.body(1, { ...more }))

describe.each(dialects)('a whole reply: $name', (dialect) => {
  const long = dialect.whole('x'.repeat(500_000))

  it.each(relayed)(
    'longer than what is held goes on as it comes where nobody reads it: %s',
    async (_, more, config) => {
      const url = await gatewayBefore(json(long), config)
      const response = await postTo(url, dialect, more)
      expect(response.status).toBe(200)
      expect((await response.text()) === long).toBe(true)
    },
  )

  it('longer than what is held is a 502 in the dialect where it has to be read', async () => {
    const url = await gatewayBefore(json(long), read[2])
    await expect(dialect.ask(url, read[1])).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('longer than 65536 bytes') as string,
    })
  })

  it('of few bytes that swell to many is bounded by what it swells to', async () => {
    const url = await gatewayBefore(json(gzipSync(long), { 'content-encoding': 'gzip' }), read[2])
    await expect(dialect.ask(url, read[1])).rejects.toMatchObject({ status: 502 })
    const passing = await gatewayBefore(json(gzipSync(long), { 'content-encoding': 'gzip' }), relayed[1]![2])
    const response = await postTo(passing, dialect, {})
    expect(response.headers.get('content-encoding')).toBeNull()
    expect((await response.text()) === long).toBe(true)
  })

  it('of more values than can be read is a 502 where it has to be read', async () => {
    const many = dialect.whole('').replace(/\}$/, `,"x":[${'[],'.repeat(1_100_000)}0]}`)
    const url = await gatewayBefore(json(many))
    await expect(dialect.ask(url, {})).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('values') as string,
    })
  })

  it.each([
    ['no gzip at all', Buffer.from('{"not": "compressed"}')],
    ['gzip that breaks off', gzipSync(dialect.whole('words')).subarray(0, 40)],
  ])('that is not as it is said to be encoded is a 502 in the dialect: %s', async (_, body) => {
    const url = await gatewayBefore(json(body, { 'content-encoding': 'gzip' }))
    await expect(dialect.ask(url, {})).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('not the gzip') as string,
    })
  })
})

describe.each(dialects)('an encoding that nobody knows: $name', (dialect) => {
  it.each([
    ['constructor', 'JSON'],
    ['constructor', 'stream'],
    ['compress', 'JSON'],
    ['gzip, __proto__', 'stream'],
  ])('is a 502 in the dialect where the reply has to be read: %s, %s', async (encoding, form) => {
    const answer = form === 'stream' ? sse : json
    const url = await gatewayBefore(answer('anything', { 'content-encoding': encoding }))
    await expect(dialect.ask(url, { stream: form === 'stream' })).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining(encoding) as string,
    })
  })

  it.each(relayed)('goes on as it came, with its name, where nobody reads it: %s', async (_, more, config) => {
    const body = gzipSync('anything')
    for (const answer of [sse, json]) {
      const url = await gatewayBefore(answer(body, { 'content-encoding': 'x-own' }), config)
      const response = await postTo(url, dialect, more)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-encoding')).toBe('x-own')
      expect(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).toBe('anything')
    }
  })
})

describe.each(dialects)('a stream: $name', (dialect) => {
  const pieces = ['one ', 'y'.repeat(300_000)]

  it.each([read, ...relayed])(
    'with an event longer than may be ends in an error, after what came before: %s',
    async (_, more, config) => {
      const url = await gatewayBefore(sse(dialect.stream(pieces)), config)
      const text = await (await postTo(url, dialect, { ...more, stream: true })).text()
      expect(text).toContain('one ')
      expect(text).not.toContain('yyy')
      expect(text.trim().split('\n\n').at(-1)).toMatch(/"error".*longer than 32768 bytes/)
      await expect(dialect.ask(url, { ...more, stream: true })).rejects.toThrow('longer than 32768 bytes')
    },
  )

  const words = Array.from({ length: 100 }, (_, index) => `${index} ${'z'.repeat(1000)} `)

  it('longer than what is held ends in an error where it is kept to be read', async () => {
    const url = await gatewayBefore(sse(dialect.stream(words)), read[2])
    await expect(dialect.ask(url, { stream: true })).rejects.toThrow('longer than 65536 bytes')
  })

  it.each(relayed)('longer than what is held goes on where it is not kept: %s', async (_, more, config) => {
    const url = await gatewayBefore(sse(dialect.stream(words)), config)
    const text = await (await postTo(url, dialect, { ...more, stream: true })).text()
    expect(text === dialect.stream(words)).toBe(true)
  })

  it('whose compression breaks ends in an error, after what came before', async () => {
    const coded = gzipSync(dialect.stream(words))
    const url = await gatewayBefore(
      sse(Buffer.concat([coded.subarray(0, coded.length - 60), Buffer.alloc(200)]), { 'content-encoding': 'gzip' }),
    )
    const text = await (await postTo(url, dialect, { stream: true })).text()
    expect(text).toContain(words[0])
    expect(text.trim().split('\n\n').at(-1)).toMatch(/"error".*not the gzip/)
    await expect(dialect.ask(url, { stream: true })).rejects.toThrow('not the gzip')
  })
})

describe('filters of a host', () => {
  const layer = (failure: 'open' | 'closed'): Layer => ({
    name: 'shout',
    failure: 'open',
    handle: async (exchange, next) =>
      filtered(await next(exchange), {
        name: 'shout',
        failure,
        kinds: ['text'],
        open: () => ({ piece: (_, text) => text.toUpperCase(), end: () => '' }),
      }),
  })
  const long = dialects[0]!.whole('x'.repeat(500_000))
  const fetch = async (): Promise<Response> => new Response(long, { headers: { 'content-type': 'application/json' } })
  const gatewayWith = (failure: 'open' | 'closed') =>
    testGateway({
      config: { limits, mode: 'off' },
      upstream: fetchUpstream({ name: 'long', origin: 'http://long', fetch }),
      host: { layers: [layer(failure)] },
    })

  it('that fail open are left out where a reply is too long to be read', async () => {
    const gateway = await gatewayWith('open')
    const response = await post(gateway, openaiFixture, openaiFixture.body(1))
    expect((await response.text()) === long).toBe(true)
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        event: 'stage-skipped',
        fields: expect.objectContaining({ stage: 'shout' }) as object,
      }),
    )
  })

  it('that fail closed let nothing pass that they have not read', async () => {
    const response = await post(await gatewayWith('closed'), openaiFixture, openaiFixture.body(1))
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('longer than 65536 bytes')
  })
})

/** A refusal is of any length, and nobody reads it. */
it('a refusal longer than what is held comes through as it came', async () => {
  const long = JSON.stringify({ error: { message: 'no'.repeat(100_000) } })
  const refusing = (_: unknown, response: ServerResponse): void => void response.writeHead(400).end(long)
  const response = await postTo(await gatewayBefore(refusing, read[2]), openaiFixture, {})
  expect(response.status).toBe(400)
  expect((await response.text()) === long).toBe(true)
})
