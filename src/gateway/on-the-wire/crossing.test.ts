import { afterEach, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { KnownDialect } from '../../core/index.ts'
import type { SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import { sdkAgents } from './sdk-agents.fixture.ts'
import {
  anthropicFixture,
  closeTestGateways,
  needleOf,
  openaiFixture,
  post,
  shortenedSession,
  testGateway,
} from './test-gateway.fixture.ts'
import type { DialectFixture } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const script: readonly ScriptEntry[] = [
  {
    text: 'Reading both. ',
    toolCalls: [
      { name: 'read', arguments: { path: 'a.ts' } },
      { name: 'read', arguments: { path: 'ü "b".ts', lines: [1, 2.5] } },
    ],
  },
  { toolCalls: [{ name: 'read', arguments: {} }] },
  'Both are fine.\nBye 👋',
]

/** A model of each provider, and where conversations with it are asked for. */
const providers: Readonly<Record<KnownDialect, { readonly model: string; readonly path: RegExp }>> = {
  'openai-chat': { model: 'gpt-5.1', path: /^\/v1\/chat\/completions$/ },
  'openai-responses': { model: 'gpt-5.1', path: /^\/v1\/responses$/ },
  'anthropic-messages': { model: 'claude-sonnet-4-6', path: /^\/v1\/messages$/ },
  'gemini': { model: 'gemini-3.5-flash', path: /^\/v1beta\/models\/gemini-3\.5-flash:(?:stream)?[gG]enerateContent/ },
}
const names = Object.keys(providers) as KnownDialect[]
const pairs = names.flatMap((client) =>
  names.filter((name) => name !== client).map((provider) => ({ client, provider })),
)
const bothWays = <Case extends object>(cases: readonly Case[]) =>
  cases.flatMap((one) => [true, false].map((stream) => ({ ...one, stream })))

describe.each(bothWays(pairs))('$client asks $provider (stream: $stream)', ({ client, provider, stream }) => {
  it('an agent does its work by the official SDK, tools and parallel calls included', async () => {
    const gateway = await testGateway({ script, speaks: provider })
    const { model, path } = providers[provider]
    const { agent, calls, done } = sdkAgents[client]
    const run = await agent({ url: gateway.url, model, stream, maxTokens: 500 })
    expect(run.calls).toEqual(['read {"path":"a.ts"}', 'read {"path":"ü \\"b\\".ts","lines":[1,2.5]}', 'read {}'])
    expect(run.texts).toEqual(['Reading both. ', 'Both are fine.\nBye 👋'])
    expect(run.stops).toEqual([calls, calls, done])
    for (const tokens of run.usages) expect(tokens).toBeGreaterThan(10)
    const { requests } = gateway.provider
    expect(requests.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const request of requests) expect(request.path).toMatch(path)
    const { conversation } = codecFor(provider).decode(requests.at(-1)!)
    const results = conversation.items.filter(({ kind }) => kind === 'tool-result').map(({ text }) => text)
    expect(results).toHaveLength(3)
    for (const result of results) expect(result).toContain('content of ')
    expect(conversation.maxOutputTokens).toBe(500)
    expect(conversation.tools).toContainEqual(expect.objectContaining({ name: 'read', description: 'Reads a file.' }))
  })

  it('a stream that dies is an error to the SDK, however much has come', async () => {
    const fault = { kind: 'connection-death', afterChunks: 2 } as const
    const gateway = await testGateway({ speaks: provider, script: [{ text: 'one two three four five', fault }] })
    const { agent } = sdkAgents[client]
    const { model } = providers[provider]
    await expect(agent({ url: gateway.url, model, stream, maxTokens: 500 })).rejects.toThrow(/broke/)
  })
})

/** The same bodies for a model of the provider's. */
function asking(fixture: DialectFixture, model: string): DialectFixture {
  return { ...fixture, body: (results, more) => fixture.body(results, { model, ...more }) }
}

const posting = pairs.flatMap(({ client, provider }) => {
  const fixture = { 'openai-chat': openaiFixture, 'anthropic-messages': anthropicFixture }[client as string]
  return fixture ? [{ client, provider, fixture: asking(fixture, providers[provider].model) }] : []
})

describe.each(bothWays(posting))(
  '$client posts to $provider (stream: $stream)',
  ({ client, provider, fixture, stream }) => {
    it('a hidden tool is answered on the way, and never shows', async () => {
      const asked: SimulatedRequest[] = []
      const gateway = await testGateway({
        speaks: provider,
        script: (request) => {
          asked.push(request)
          const [, handle] = /rehydrate\(\\+"([\w-]+)/.exec(request.body) ?? []
          if (asked.length < 3 || handle === undefined) return 'ok'
          return asked.length === 3 ? { toolCalls: [{ name: 'rehydrate', arguments: { handle } }] } : 'found'
        },
      })
      await shortenedSession(gateway, fixture)
      const response = await post(gateway, fixture, fixture.body(9, { stream }))
      const text = await response.text()
      expect(response.headers.get('x-prehend-crossed')).toBe(provider)
      expect(text).toContain('found')
      expect(text).not.toContain('rehydrate')
      expect(asked).toHaveLength(4)
      expect(asked[2]!.body).not.toContain(needleOf(1))
      expect(asked[3]!.body).toContain(needleOf(1))
      const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
      expect(receipt?.result).toMatchObject({ status: 200, rehydrations: 1, crossed: { dialect: provider } })
    })

    it("a provider's refusal is told in the client's dialect, with its status", async () => {
      const fault = { kind: 'error', status: 429, message: 'Too many of them.', retryAfterSeconds: 7 } as const
      const gateway = await testGateway({ speaks: provider, script: [{ fault }] })
      const response = await post(gateway, fixture, fixture.body(0, { stream }))
      expect(response.status).toBe(429)
      const body = (await response.json()) as { type?: string; error: { type: string; message: string } }
      expect(body.error.message).toBe('Too many of them.')
      expect(body.error.type).toBe('rate_limit_error')
      expect(body.type).toBe(client === 'anthropic-messages' ? 'error' : undefined)
    })

    it('what the provider has no word for is named', async () => {
      const gateway = await testGateway({ speaks: provider })
      const more = client === 'openai-chat' ? { logit_bias: { 5: 1 } } : { metadata: { user_id: 'u' } }
      const response = await post(gateway, fixture, fixture.body(0, { ...more, stream }))
      await response.text()
      expect(response.status).toBe(200)
      expect(response.headers.get('x-prehend-lost')).toContain('sampling 1')
      const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
      expect(receipt?.result?.crossed?.lost.map(({ what }) => what)).toEqual(expect.arrayContaining(Object.keys(more)))
    })

    it('a stream that ends in an error tells it', async () => {
      const fault = { kind: 'stream-error', afterChunks: 2, message: 'The model is overloaded.' } as const
      const gateway = await testGateway({ speaks: provider, script: [{ text: 'one two three four five', fault }] })
      const response = await post(gateway, fixture, fixture.body(0, { stream: true }))
      expect(await response.text()).toContain('The model is overloaded.')
    })
  },
)

it.each(names.filter((name) => name !== 'anthropic-messages'))('tokens are counted here for %s', async (provider) => {
  const gateway = await testGateway({ speaks: provider })
  const fixture = asking(anthropicFixture, providers[provider].model)
  const response = await post(gateway, { ...fixture, path: '/v1/messages/count_tokens' }, fixture.body(1))
  const { input_tokens: tokens } = (await response.json()) as { input_tokens: number }
  expect(tokens).toBeGreaterThan(1000)
  expect(gateway.provider.requests).toEqual([])
})

it('a body that could not be read is refused with the field and the remedy', async () => {
  const gateway = await testGateway({ speaks: 'anthropic-messages' })
  const response = await fetch(`${gateway.url}/v1beta/models/claude-sonnet-4-6:generateContent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'key' },
    // As `@ai-sdk/google` 1 writes it.
    body: JSON.stringify({ contents: [{ parts: [{ text: 'Hello' }] }], tools: { functionDeclarations: [] } }),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { message: 'tools: expected an array, got an object. Send an array.', status: 'INVALID_ARGUMENT' },
  })
  expect(gateway.provider.requests).toEqual([])
})
